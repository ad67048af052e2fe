/** How a shape of an SVG is painted: attributes, style sheets and inheritance, as far as opaqueness needs them. */
import type { XmlElement } from './xml';

/** Property names to their values, lower-case. */
export type Declarations = Readonly<Record<string, string>>;

/** One rule of a style sheet: a simple selector and what it says. */
export interface Rule {
	readonly tag?: string;
	readonly id?: string;
	readonly classes: readonly string[];
	readonly declarations: Declarations;
}

/** What a group hands down to what is inside it. */
export interface Paint {
	readonly fill: string;
	readonly fillRule: string;
	/** All opacities on the way, multiplied: 0 to 1. */
	readonly opacity: number;
	readonly fillOpacity: number;
	readonly isVisible: boolean;
	/** A mask, clip or filter lies over it, and what remains cannot be told. */
	readonly isCut: boolean;
}

/** What every picture starts with. */
export const FIRST_PAINT: Paint = {
	fill: 'black',
	fillRule: 'nonzero',
	opacity: 1,
	fillOpacity: 1,
	isVisible: true,
	isCut: false,
};

export function declarationsIn(text: string): Declarations {
	const pairs = text.split(';').map((entry) => {
		const colon = entry.indexOf(':');
		return [entry.slice(0, colon), entry.slice(colon + 1).replace(/!important/i, '')].map((part) =>
			part.trim(),
		);
	});
	return Object.fromEntries(
		pairs
			.filter(([name, value]) => name !== '' && value !== '')
			.map(([name, value]) => [name.toLowerCase(), value]),
	);
}

const SIMPLE_SELECTOR = /^(\*|[\w-]+)?((?:[.#][\w-]+)*)$/;

function ruleOf(selector: string, declarations: Declarations): Rule | undefined {
	const [whole, tag, marks = ''] = SIMPLE_SELECTOR.exec(selector.trim()) ?? [];
	if (whole === undefined || whole === '') return undefined;
	const named = (mark: string) =>
		(marks.match(/[.#][\w-]+/g) ?? []).filter((each) => each.startsWith(mark)).map((each) => each.slice(1));
	return { tag: tag === '*' ? undefined : tag, id: named('#')[0], classes: named('.'), declarations };
}

/** The rules of a style sheet that have a simple selector; others are left out. */
export function rulesIn(sheet: string): Rule[] {
	const plain = sheet.replace(/\/\*[\s\S]*?\*\//g, '');
	return [...plain.matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(([, selectors, body]) => {
		const declarations = declarationsIn(body);
		return selectors.split(',').flatMap((selector) => ruleOf(selector, declarations) ?? []);
	});
}

function fits({ tag, id, classes }: Rule, element: XmlElement): boolean {
	const own = (element.attributes.class ?? '').split(/\s+/);
	const isTag = tag === undefined || tag === element.name;
	return (
		isTag && (id === undefined || id === element.attributes.id) && classes.every((name) => own.includes(name))
	);
}

/** What is said of an element itself: attributes, then style sheets, then its `style`, the later ones winning. */
export function declaredOf(element: XmlElement, rules: readonly Rule[]): Declarations {
	const fromSheets = rules.filter((rule) => fits(rule, element)).map(({ declarations }) => declarations);
	return Object.assign(
		{},
		element.attributes,
		...fromSheets,
		declarationsIn(element.attributes.style ?? ''),
	) as Declarations;
}

function fraction(text: string | undefined, otherwise: number): number {
	if (text === undefined) return otherwise;
	const value = text.endsWith('%') ? parseFloat(text) / 100 : parseFloat(text);
	return Number.isNaN(value) ? otherwise : Math.min(1, Math.max(0, value));
}

/** The paint of an element inside a group that is painted so. */
export function paintOf(inherited: Paint, declared: Declarations): Paint {
	const said = (name: string) => {
		const value = declared[name];
		return value === undefined || value === 'inherit' ? undefined : value;
	};
	const isCut = ['clip-path', 'mask', 'filter'].some(
		(name) => said(name) !== undefined && said(name) !== 'none',
	);
	const { visibility } = declared;
	return {
		fill: said('fill') ?? inherited.fill,
		fillRule: said('fill-rule') ?? inherited.fillRule,
		opacity: inherited.opacity * fraction(said('opacity'), 1),
		fillOpacity: fraction(said('fill-opacity'), inherited.fillOpacity),
		isVisible:
			declared.display !== 'none' &&
			(visibility === undefined ? inherited.isVisible : visibility === 'visible'),
		isCut: inherited.isCut || isCut,
	};
}

const ALPHA_LAST = /^(?:rgb|hsl)a?\(.*[,/]\s*([\d.]+%?)\s*\)$/;

/** Whether a colour hides everything behind it. Gradients are asked about by their id. */
export function isOpaqueColour(colour: string, isOpaqueGradient: (id: string) => boolean): boolean {
	const text = colour.trim().toLowerCase();
	if (text === 'none' || text === 'transparent') return false;
	const reference = /^url\(\s*['"]?#([^'")]+)['"]?\s*\)/.exec(colour.trim());
	if (reference !== null) return isOpaqueGradient(reference[1]);
	if (text.startsWith('#')) {
		const alpha = text.length === 5 ? text.slice(4) : text.slice(7);
		return alpha === '' || /^f+$/.test(alpha);
	}
	const parts = text.split(/[,/]/).length;
	const hasAlpha = text.includes('/') || (parts === 4 && text.includes('('));
	return !hasAlpha || fraction(ALPHA_LAST.exec(text)?.[1], 1) >= 1;
}
