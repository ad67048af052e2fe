/** A web page, and not what was asked for: mostly a proxy's own, before the service was asked. Pure. */
import type { Reply } from './request';

const ROOT_OF_PAGE = /^\s*<(!doctype\s+html|html)\b/i;
const MARKUP = /<[a-z!/]/i;

/**
 * By how the answer begins, or by its content type. Trap: frameworks call a plain `Created` text/html too, so that the content type
 * counts only where there is markup.
 */
export function isPage({ text, headers }: Reply): boolean {
	return ROOT_OF_PAGE.test(text) || (/html/i.test(String(headers['content-type'])) && MARKUP.test(text));
}
