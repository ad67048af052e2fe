import type { IncomingMessage, ServerResponse } from 'node:http';
import { exchangeOf } from '../http/exchange.mts';
import type { Issuer } from './issuer.mts';

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

/** What Express sets on a request that it hands to an application mounted under a path. */
interface MountedRequest extends IncomingMessage {
	originalUrl?: string;
	baseUrl?: string;
	body?: unknown;
}

/**
 * The provider warns once per process when somebody has read the body before it. Here that is on purpose
 * (the log and the faults need it), so this one line is kept off the console.
 */
const { warn } = console;
console.warn = (...said: unknown[]): void => {
	if (!String(said[0]).includes('already parsed request body detected')) warn(...said);
};

/** The provider under a path of the sandbox's one port. */
export function mountIssuer(path: string, { provider }: Issuer): Handler {
	const handle = provider.callback();
	return (req: MountedRequest, res) => {
		const { body } = exchangeOf(req);
		req.originalUrl = req.url;
		req.baseUrl = path;
		req.url = req.url?.slice(path.length) || '/';
		// The log has read the body already; the provider takes it from here.
		if (body.kind !== 'none') req.body = 'value' in body ? body.value : {};
		void handle(req, res);
	};
}
