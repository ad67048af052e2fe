/**
 * As much XML as an SVG needs: elements, attributes, text. Document type declarations with rules of their own are
 * refused: their entities can blow a small file up or reach for other files.
 */

export interface XmlElement {
	/** Without a namespace prefix: `svg:rect` is `rect`. */
	readonly name: string;
	/** Without namespace prefixes: `xlink:href` is `href`. */
	readonly attributes: Readonly<Record<string, string>>;
	readonly children: XmlElement[];
	/** All text directly inside, joined. */
	text: string;
}

/** Longer logos are not read. Bytes, about: characters. */
export const LONGEST_XML = 1_000_000;

const DEEPEST = 200;

/** Comments, processing instructions, declarations, sections, tags and text, one after the other. */
const TOKEN =
	/<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!DOCTYPE[^[\]>]*>|<!\[CDATA\[([\s\S]*?)\]\]>|<\/\s*([\w:.-]+)\s*>|<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decoded(text: string): string {
	return text.replace(/&(#x?[\da-f]+|\w+);/gi, (whole, entity: string) => {
		if (!entity.startsWith('#')) return ENTITIES[entity] ?? whole;
		const code = /^#x/i.test(entity) ? parseInt(entity.slice(2), 16) : Number(entity.slice(1));
		return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
	});
}

function localName(name: string): string {
	return name.slice(name.indexOf(':') + 1);
}

function attributesIn(text: string): Record<string, string> {
	// Trap: a plain object would take an attribute called __proto__ for its prototype.
	const attributes: Record<string, string> = Object.create(null) as Record<string, string>;
	for (const [, name, double, single] of text.matchAll(ATTRIBUTE)) {
		attributes[localName(name)] ??= decoded(double ?? single ?? '');
	}
	return attributes;
}

/** The outermost element, or nothing when the text is not well-formed. */
export function readXml(source: string): XmlElement | undefined {
	const text = source.replace(/^\uFEFF/, '');
	if (text.length > LONGEST_XML) return undefined;
	const top: XmlElement = { name: '', attributes: {}, children: [], text: '' };
	const open = [top];
	TOKEN.lastIndex = 0;
	while (TOKEN.lastIndex < text.length) {
		const token = TOKEN.exec(text);
		if (token === null || open.length > DEEPEST) return undefined;
		const [, section, closing, opening, attributes = '', isEmpty, plain] = token;
		const inner = open[open.length - 1];
		if (closing !== undefined) {
			if (open.length === 1 || localName(closing) !== inner.name) return undefined;
			open.pop();
		} else if (opening !== undefined) {
			const element = {
				name: localName(opening),
				attributes: attributesIn(attributes),
				children: [],
				text: '',
			};
			inner.children.push(element);
			if (isEmpty === '') open.push(element);
		} else {
			inner.text += section ?? decoded(plain ?? '');
		}
	}
	const [root, ...others] = top.children;
	const isWellFormed = open.length === 1 && others.length === 0 && top.text.trim() === '';
	return isWellFormed ? root : undefined;
}
