/** Content of an SVG that does something or reaches for something, instead of being drawn. */
import type { Drawn } from './svgBackground';

const ACTIVE_ELEMENTS: ReadonlySet<string> = new Set(
	'script foreignObject iframe object embed audio video'.split(' '),
);

/** Where a reference may lead: nowhere, into the same file, or to a picture that is in it. */
const INSIDE = /^[\s'"]*(?:$|#|data:image\/)/i;
const LINK = /^\s*(?:#|https?:|mailto:)/i;

function leadsOutside(text: string): boolean {
	return [...text.matchAll(/url\(([^)]*)/gi)].some(([, address]) => !INSIDE.test(address));
}

/** True for style text that loads something; escapes, which can spell anything, count as such. */
export function isActiveStyle(text: string): boolean {
	return text.includes('\\') || /@import/i.test(text) || leadsOutside(text);
}

/** True for scripts, event handlers, foreign content, and references to other addresses. */
export function isActiveTag({ name, attributes }: Drawn): boolean {
	if (ACTIVE_ELEMENTS.has(name)) return true;
	return [...attributes].some(([key, value]) => {
		if (/^on/i.test(key)) return true;
		if (key === 'href' || key === 'src') return !(name === 'a' ? LINK : INSIDE).test(value);
		// An animation can write what an attribute may not hold.
		if (key === 'attributeName') return /^(?:on|(?:.*:)?href$)/i.test(value.trim());
		return key === 'style' ? isActiveStyle(value) : leadsOutside(value);
	});
}

/**
 * The names of the entities that a document type declares, or nothing when it declares more than names for plain
 * texts: drawing programs write namespaces so. Entities within entities can blow a small file up, and others read files.
 */
export function plainEntitiesIn(doctype: string): string[] | undefined {
	const subset = doctype.indexOf('[');
	if (subset < 0) return [];
	const names: string[] = [];
	const rest = doctype
		.slice(subset + 1, doctype.lastIndexOf(']'))
		.replace(/<!ENTITY\s+([\w.-]+)\s+(?:"[^"&%<]*"|'[^'&%<]*')\s*>/g, (_, name: string) => {
			names.push(name);
			return '';
		});
	return rest.trim() === '' ? names : undefined;
}
