import type { RequestHandler } from 'express';

/** Names that lead to this machine and to nowhere else. */
const OWN_NAMES: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

const hostnameOf = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

const isOriginOf = (host: string, origin: string): boolean =>
	['http', 'https'].some((scheme) => origin.toLowerCase() === `${scheme}://${host.toLowerCase()}`);

/**
 * Lets through programs and the sandbox's own page. A browser sends the origin of the page with every command: any
 * web page that somebody has open could command the sandbox otherwise. And a foreign name that was made to lead to
 * this machine (DNS rebinding) would make its page look like the own one: so the name counts too.
 */
export const ownPageOnly =
	(...names: readonly string[]): RequestHandler =>
	(req, res, next) => {
		const { host = '', origin } = req.headers;
		res.set('x-frame-options', 'DENY');
		if (!OWN_NAMES.has(hostnameOf(host)) && !names.includes(hostnameOf(host))) {
			res.status(403).json({
				message:
					'The admin answers only under 127.0.0.1, localhost or [::1], and the names of --host and --public-url.',
			});
		} else if (origin !== undefined && !isOriginOf(host, origin)) {
			const message =
				'The admin takes commands only from its own page and from programs, not from other web pages.';
			res.status(403).json({ message });
		} else next();
	};
