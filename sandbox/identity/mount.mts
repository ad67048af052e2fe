import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendText } from '../http/answer.mts';
import { exchangeOf } from '../http/exchange.mts';
import type { Issuer } from './issuer.mts';
import { serveLogin } from './login.mts';

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

/** What Express sets on a request that it hands to an application mounted under a path. */
interface MountedRequest extends IncomingMessage {
	originalUrl?: string;
	baseUrl?: string;
	body?: unknown;
}

/** The provider under a path of the sandbox's one port, with the login screens under theirs. */
export function mountIssuer(path: string, issuer: Issuer, publicUrl?: string): Handler {
	const forwarded = publicUrl === undefined ? undefined : new URL(publicUrl);
	issuer.provider.proxy = forwarded !== undefined;
	const handle = issuer.provider.callback();
	return (req: MountedRequest, res) => {
		// The provider makes its addresses from the request; these headers tell it the public one.
		if (forwarded) {
			req.headers['x-forwarded-host'] = forwarded.host;
			req.headers['x-forwarded-proto'] = forwarded.protocol.slice(0, -1);
		}
		const { body, path: requested } = exchangeOf(req);
		if (requested.startsWith(`${issuer.options.loginPath}/`)) {
			serveLogin(issuer, req, res).catch((error: unknown) => {
				console.error('Login:', error);
				if (!res.headersSent) sendText(res, 500, 'text/plain', 'The login could not be shown.\n');
			});
			return;
		}
		req.originalUrl = req.url;
		req.baseUrl = path;
		req.url = forProvider(req.url?.slice(path.length) || '/');
		// The log has read the body already; the provider takes it from here.
		if (body.kind !== 'none') req.body = 'value' in body ? body.value : {};
		void handle(req, res);
	};
}

/**
 * The provider has one end-session route, the service two; and without `prompt=consent` it drops the scope
 * offline_access, which the documented request carries without a prompt.
 */
function forProvider(url: string): string {
	if (url.startsWith('/connect/full-endsession')) return url.replace('full-endsession', 'client-endsession');
	const [path, query = ''] = url.split('?', 2);
	if (path !== '/connect/authorize') return url;
	const params = new URLSearchParams(query);
	const prompts = (params.get('prompt') ?? '').split(' ').filter(Boolean);
	if (prompts.includes('none') || prompts.includes('consent')) return url;
	params.set('prompt', [...prompts, 'consent'].join(' '));
	return `${path}?${params.toString()}`;
}
