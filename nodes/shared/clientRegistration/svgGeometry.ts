/** What the shapes of an SVG cover (SVG 2 sections 7.5 and 10). */
import { outlinesOf, type Point } from './svgPath';
import type { XmlElement } from './xml';

/** `matrix(a b c d e f)`: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** A filled area: outlines in the picture's own coordinates, and the rule for what is inside. */
export interface Area {
	readonly outlines: readonly Point[][];
	readonly rule: 'nonzero' | 'evenodd';
}

export function multiplied([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
	return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

function turned(degrees: number, x = 0, y = 0): Matrix {
	const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
	return multiplied(multiplied([1, 0, 0, 1, x, y], [cos, sin, -sin, cos, 0, 0]), [1, 0, 0, 1, -x, -y]);
}

function stepOf(name: string, given: readonly number[]): Matrix {
	const [first = 0, second, third] = given;
	const slant = Math.tan((first * Math.PI) / 180);
	switch (name) {
		case 'matrix':
			return given.length === 6 ? (given as unknown as Matrix) : IDENTITY;
		case 'translate':
			return [1, 0, 0, 1, first, second ?? 0];
		case 'scale':
			return [first, 0, 0, second ?? first, 0, 0];
		case 'rotate':
			return turned(first, second, third);
		case 'skewX':
			return [1, 0, slant, 1, 0, 0];
		case 'skewY':
			return [1, slant, 0, 1, 0, 0];
		default:
			return IDENTITY;
	}
}

/** The `transform` attribute as one matrix. */
export function matrixOf(transform = ''): Matrix {
	const steps = [...transform.matchAll(/(\w+)\s*\(([^)]*)\)/g)];
	return steps.reduce<Matrix>((all, [, name, text]) => {
		const given = (text.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number);
		return multiplied(all, stepOf(name, given));
	}, IDENTITY);
}

/** A length in pixels; percentages of `whole`; units that are not pixels give nothing. */
export function lengthOf(text: string | undefined, whole: number): number | undefined {
	const [, number, unit = ''] =
		/^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(px|%)?\s*$/i.exec(text ?? '') ?? [];
	if (number === undefined) return undefined;
	return unit === '%' ? (Number(number) * whole) / 100 : Number(number);
}

function ellipse(cx: number, cy: number, rx: number, ry: number): Point[][] {
	const corners = 64;
	return [
		Array.from({ length: corners }, (_, index) => {
			const at = (2 * Math.PI * index) / corners;
			return [cx + rx * Math.cos(at), cy + ry * Math.sin(at)] as const;
		}),
	];
}

function rectangle(x: number, y: number, width: number, height: number, rx: number, ry: number): Point[][] {
	if (rx <= 0 || ry <= 0) {
		return [
			[
				[x, y],
				[x + width, y],
				[x + width, y + height],
				[x, y + height],
			],
		];
	}
	const [right, bottom, arc] = [x + width, y + height, `A${rx} ${ry} 0 0 1`];
	return outlinesOf(
		`M${x + rx} ${y}H${right - rx}${arc} ${right} ${y + ry}V${bottom - ry}${arc} ${right - rx} ${bottom}` +
			`H${x + rx}${arc} ${x} ${bottom - ry}V${y + ry}${arc} ${x + rx} ${y}Z`,
	);
}

function points(text = ''): Point[][] {
	const numbers = (text.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number);
	return [
		Array.from(
			{ length: Math.floor(numbers.length / 2) },
			(_, at) => [numbers[2 * at], numbers[2 * at + 1]] as const,
		),
	];
}

/** The outlines of a shape in its own coordinates; nothing for elements that are no filled shapes. */
export function shapeOutlines(
	{ name, attributes }: XmlElement,
	width: number,
	height: number,
): Point[][] | undefined {
	const across = (key: string) => lengthOf(attributes[key], width);
	const down = (key: string) => lengthOf(attributes[key], height);
	switch (name) {
		case 'rect': {
			const [w, h] = [across('width') ?? 0, down('height') ?? 0];
			const rx = Math.min(across('rx') ?? down('ry') ?? 0, w / 2);
			const ry = Math.min(down('ry') ?? across('rx') ?? 0, h / 2);
			return rectangle(across('x') ?? 0, down('y') ?? 0, w, h, rx, ry);
		}
		case 'circle': {
			const radius = lengthOf(attributes.r, Math.hypot(width, height) / Math.SQRT2) ?? 0;
			return ellipse(across('cx') ?? 0, down('cy') ?? 0, radius, radius);
		}
		case 'ellipse':
			return ellipse(across('cx') ?? 0, down('cy') ?? 0, across('rx') ?? 0, down('ry') ?? 0);
		case 'polygon':
		case 'polyline':
			return points(attributes.points);
		case 'path':
			return outlinesOf(attributes.d ?? '');
		default:
			return undefined;
	}
}

/** Outlines moved by a matrix. */
export function moved(outlines: readonly Point[][], [a, b, c, d, e, f]: Matrix): Point[][] {
	return outlines.map((outline) => outline.map(([x, y]) => [a * x + c * y + e, b * x + d * y + f] as const));
}

/** How often the outlines wind around a point (SVG 2 section 13.4.2, `fill-rule`). */
function windings(outlines: readonly Point[][], [x, y]: Point): number {
	let count = 0;
	for (const outline of outlines) {
		outline.forEach(([x1, y1], index) => {
			const [x2, y2] = outline[(index + 1) % outline.length];
			if (y1 <= y === y2 <= y) return;
			const crossing = x1 + ((y - y1) * (x2 - x1)) / (y2 - y1);
			if (crossing > x) count += y2 > y1 ? 1 : -1;
		});
	}
	return count;
}

export function isInside({ outlines, rule }: Area, point: Point): boolean {
	const count = windings(outlines, point);
	return rule === 'evenodd' ? count % 2 !== 0 : count !== 0;
}
