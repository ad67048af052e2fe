/**
 * Whether a drawing lies on a background. Two things are plain: one rectangle over the whole picture is a background,
 * and shapes too small to reach across are none. Paths are not followed, nothing is moved, referred to or styled: what
 * would need that is undecided, and a person looks.
 */
export type Background = 'opaque' | 'undecided' | 'none';

/** The part of the drawing's coordinates that is seen. */
export interface Region {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

/** A tag without namespace prefixes (`svg:rect` is `rect`), with what it takes from those around it. */
export interface Drawn {
	readonly name: string;
	readonly attributes: ReadonlyMap<string, string>;
	/** Not in a definition, and not hidden. */
	readonly isShown: boolean;
	/** Nothing moves it, cuts it or makes it see-through. */
	readonly isPlain: boolean;
	readonly fill: string;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const NOT_SHOWN = words(
	'defs symbol clipPath mask pattern marker filter linearGradient radialGradient metadata',
);
const SHAPES = words('rect circle ellipse polygon polyline path');
const UNDECIDED = words('svg use image animate animateTransform animateMotion set');
const NO_COLOUR = words('none transparent');
/** Only with these values do properties leave a shape as it is drawn. */
const PLAIN_VALUES = Object.entries({
	...{ transform: 'none', opacity: '1', 'fill-opacity': '1', visibility: 'visible', rx: '0', ry: '0' },
	...{ 'clip-path': 'none', mask: 'none', filter: 'none' },
});
/** A name, `#rgb`, `#rrggbb`, or three numbers: colours without alpha. */
const PLAIN_COLOUR = /^(?:[a-z]+|#[\da-f]{3}|#[\da-f]{6}|rgb\([^,/]*,[^,/]*,[^,/]*\))$/i;
/** What falls this little short of an edge reaches it. */
const NEARLY = 0.99;

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/** A tag as it is written, inside `outer`. Its `style` wins over its attributes, as in a browser. */
export function surroundingsIn(
	outer: Drawn | undefined,
	written: { readonly name: string; readonly attributes: Readonly<Record<string, string>> },
): Drawn {
	const attributes = new Map(
		Object.entries(written.attributes).map(([key, value]) => [localName(key), value]),
	);
	for (const declaration of attributes.get('style')?.split(';') ?? []) {
		const colon = declaration.indexOf(':');
		if (colon > 0) attributes.set(declaration.slice(0, colon).trim(), declaration.slice(colon + 1).trim());
	}
	const name = localName(written.name);
	const fill = attributes.get('fill') ?? 'inherit';
	const isShown = !NOT_SHOWN.has(name) && attributes.get('display') !== 'none';
	return {
		name,
		attributes,
		isShown: isShown && outer?.isShown !== false,
		isPlain:
			outer?.isPlain !== false &&
			PLAIN_VALUES.every(([key, value]) => (attributes.get(key) ?? value) === value),
		fill: fill === 'inherit' ? (outer?.fill ?? 'black') : fill,
	};
}

/** A length of a shape; what cannot be read may be of any length. */
function lengthIn(text = '0', whole: number): number {
	const length = text.endsWith('%')
		? (Number(text.slice(0, -1)) * whole) / 100
		: Number(text.replace('px', ''));
	return Number.isNaN(length) ? Infinity : length;
}

/** Left, top, right and bottom. */
function sidesOf({ attributes }: Drawn, { width, height }: Region) {
	const [left, top] = [lengthIn(attributes.get('x'), width), lengthIn(attributes.get('y'), height)];
	const right = left + lengthIn(attributes.get('width'), width);
	return [left, top, right, top + lengthIn(attributes.get('height'), height)];
}

function isWholePicture(tag: Drawn, region: Region): boolean {
	if (tag.name !== 'rect' || !tag.isPlain || !PLAIN_COLOUR.test(tag.fill)) return false;
	const [left, top, right, bottom] = sidesOf(tag, region);
	const [spareX, spareY] = [region.width * (1 - NEARLY), region.height * (1 - NEARLY)];
	const isAcross =
		Number.isFinite(right + bottom) && left <= region.x + spareX && right >= region.x + region.width - spareX;
	return isAcross && top <= region.y + spareY && bottom >= region.y + region.height - spareY;
}

/**
 * Whether a shape has a number as long as the picture, or at its far edges: others cannot cover it. A mosaic of small
 * paths can, and is not noticed: to notice it would take a geometry of paths.
 */
function mayReachAcross(tag: Drawn, region: Region): boolean {
	const size = Math.min(region.width, region.height) * NEARLY;
	const farEdge = Math.min(region.x, region.y) + size;
	const stroke = lengthIn(tag.attributes.get('stroke-width'), size);
	const isChanged = ['transform', 'filter'].some((key) => (tag.attributes.get(key) ?? 'none') !== 'none');
	if (stroke >= size || isChanged || UNDECIDED.has(tag.name)) return true;
	if (!SHAPES.has(tag.name) || NO_COLOUR.has(tag.fill)) return false;
	// A circle reaches the corners with half of the diagonal.
	const radii = ['r', 'rx', 'ry'].map((key) => lengthIn(tag.attributes.get(key), size) * Math.SQRT2);
	const path = `${tag.attributes.get('d') ?? ''} ${tag.attributes.get('points') ?? ''}`;
	const numbers = (path.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number);
	const own = tag.name === 'rect' ? sidesOf(tag, region) : radii;
	return [...numbers, ...own].some((number) => number >= farEdge || Math.abs(number) >= size);
}

/** The verdict on all tags of a drawing, in their order. */
export function backgroundOf(
	[root, ...inner]: readonly Drawn[],
	hasSheet: boolean,
	region: Region,
): Background {
	const canvas = root.attributes.get('background-color') ?? root.attributes.get('background') ?? 'none';
	const shown = inner.filter(({ isShown }) => isShown);
	const isPainted = PLAIN_COLOUR.test(canvas) && !NO_COLOUR.has(canvas);
	const isCovered = shown.some((tag) => !NO_COLOUR.has(tag.fill) && isWholePicture(tag, region));
	if (!hasSheet && (isPainted || isCovered)) return 'opaque';
	const isOpen = root.isPlain && NO_COLOUR.has(canvas) && !shown.some((tag) => mayReachAcross(tag, region));
	return hasSheet || !isOpen ? 'undecided' : 'none';
}
