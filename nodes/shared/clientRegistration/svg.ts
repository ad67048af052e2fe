/**
 * What the registration asks of the vector logo: 128x128, and no opaque shape over the whole picture. Shapes are
 * drawn as outlines and held against points all over the picture, so that a background is found however it is
 * written: as a rectangle, a path, a polygon, scaled, referred to, or as a colour of the picture itself.
 */
import {
	IDENTITY,
	isInside,
	lengthOf,
	matrixOf,
	moved,
	multiplied,
	shapeOutlines,
	type Matrix,
} from './svgGeometry';
import { declaredOf, FIRST_PAINT, isOpaqueColour, paintOf, rulesIn, type Paint, type Rule } from './svgStyle';
import type { Point } from './svgPath';
import { readXml, type XmlElement } from './xml';

export interface SvgFacts {
	/** Pixels, where the picture says so. */
	readonly width: number | undefined;
	readonly height: number | undefined;
	/** An opaque shape, or a background colour, lies over the whole picture. */
	readonly hasOpaqueBackground: boolean;
	/** It holds scripts, event handlers, foreign content, or refers to other addresses. */
	readonly hasActiveContent: boolean;
	/** It holds a raster picture, whose transparency is not looked at. */
	readonly hasEmbeddedPicture: boolean;
}

interface Region {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

/** Elements whose content is not drawn where it stands. */
const NOT_DRAWN: readonly string[] = [
	...[
		'defs',
		'symbol',
		'clipPath',
		'mask',
		'pattern',
		'marker',
		'filter',
		'linearGradient',
		'radialGradient',
	],
	...['style', 'script', 'title', 'desc', 'metadata', 'foreignObject'],
];

/** Points along each side of the picture that are looked at. */
const POINTS_PER_SIDE = 24;

/** How often `use` may lead to another `use`. */
const DEEPEST_USE = 8;

/** More shapes than a logo has; later ones are not looked at. */
const MOST_SHAPES = 2_000;

function everyElement(root: XmlElement): XmlElement[] {
	return [root, ...root.children.flatMap(everyElement)];
}

function isActive({ name, attributes }: XmlElement): boolean {
	if (['script', 'foreignObject', 'iframe', 'object', 'embed'].includes(name)) return true;
	return Object.entries(attributes).some(([key, value]) => {
		if (/^on/i.test(key)) return true;
		if (key === 'href' && name !== 'a') return !/^\s*(#|data:image\/)/i.test(value);
		return /^\s*javascript:/i.test(value);
	});
}

function numbersIn(text = ''): number[] {
	return text
		.trim()
		.split(/[\s,]+/)
		.map(Number);
}

/** The part of the drawing's coordinates that is seen (SVG 2 section 8.2), with the default alignment. */
function regionOf({ attributes }: XmlElement, width: number, height: number): Region {
	const box = numbersIn(attributes.viewBox);
	const [x, y, w, h] = box;
	if (box.length !== 4 || !(w > 0) || !(h > 0)) return { x: 0, y: 0, width, height };
	if (attributes.preserveAspectRatio?.trim().startsWith('none')) return { x, y, width: w, height: h };
	const scale = Math.min(width / w, height / h);
	const [seenWidth, seenHeight] = [width / scale, height / scale];
	return { x: x - (seenWidth - w) / 2, y: y - (seenHeight - h) / 2, width: seenWidth, height: seenHeight };
}

/** Points all over the region, close to its edges too, so that rounded corners count as open. */
function pointsOver({ x, y, width, height }: Region): Point[] {
	const along = Array.from(
		{ length: POINTS_PER_SIDE },
		(_, index) => 0.003 + (0.994 * index) / (POINTS_PER_SIDE - 1),
	);
	return along.flatMap((across) => along.map((down) => [x + across * width, y + down * height] as const));
}

/** Looks for a shape that hides every point of the region. */
class Background {
	private readonly byId = new Map<string, XmlElement>();
	private readonly rules: Rule[];
	private readonly points: Point[];
	private shapes = 0;

	constructor(
		elements: readonly XmlElement[],
		private readonly region: Region,
	) {
		for (const element of elements)
			if (element.attributes.id !== undefined) this.byId.set(element.attributes.id, element);
		this.rules = elements.filter(({ name }) => name === 'style').flatMap(({ text }) => rulesIn(text));
		this.points = pointsOver(region);
	}

	/** Whether the element, or something in it, hides the whole region. */
	isHiddenBy(element: XmlElement, matrix: Matrix, inherited: Paint, uses = 0): boolean {
		if (NOT_DRAWN.includes(element.name)) return false;
		const declared = declaredOf(element, this.rules);
		const paint = paintOf(inherited, declared);
		if (declared.display === 'none' || paint.opacity < 1 || paint.isCut) return false;
		const here = multiplied(matrix, matrixOf(declared.transform));
		if (element.name === 'use') return this.isHiddenByUse(element, here, paint, uses);
		const outlines = shapeOutlines(element, this.region.width, this.region.height);
		if (outlines === undefined)
			return element.children.some((child) => this.isHiddenBy(child, here, paint, uses));
		const isOpaque =
			paint.isVisible &&
			paint.fillOpacity >= 1 &&
			isOpaqueColour(paint.fill, (id) => this.isOpaqueGradient(id));
		if (!isOpaque || ++this.shapes > MOST_SHAPES) return false;
		const area = {
			outlines: moved(outlines, here),
			rule: paint.fillRule === 'evenodd' ? 'evenodd' : 'nonzero',
		} as const;
		return this.points.every((point) => isInside(area, point));
	}

	/** A background colour of the picture itself, which browsers paint. */
	isPainted(root: XmlElement): boolean {
		const declared = declaredOf(root, this.rules);
		const colour = declared['background-color'] ?? declared.background;
		return colour !== undefined && isOpaqueColour(colour, () => false);
	}

	private isHiddenByUse({ attributes }: XmlElement, matrix: Matrix, paint: Paint, uses: number): boolean {
		const target = this.byId.get((attributes.href ?? '').trim().slice(1));
		if (target === undefined || uses >= DEEPEST_USE) return false;
		const [x, y] = [
			lengthOf(attributes.x, this.region.width) ?? 0,
			lengthOf(attributes.y, this.region.height) ?? 0,
		];
		const there = multiplied(matrix, [1, 0, 0, 1, x, y]);
		if (target.name !== 'symbol') return this.isHiddenBy(target, there, paint, uses + 1);
		return target.children.some((child) => this.isHiddenBy(child, there, paint, uses + 1));
	}

	private isOpaqueGradient(id: string, deep = 0): boolean {
		const gradient = this.byId.get(id);
		if (gradient === undefined || !gradient.name.endsWith('Gradient') || deep > DEEPEST_USE) return false;
		const stops = gradient.children
			.filter(({ name }) => name === 'stop')
			.map((stop) => declaredOf(stop, this.rules));
		if (stops.length === 0) return this.isOpaqueGradient((gradient.attributes.href ?? '').slice(1), deep + 1);
		return stops.every((stop) => {
			const isFull =
				Number.parseFloat(stop['stop-opacity'] ?? '1') >= (stop['stop-opacity']?.endsWith('%') ? 100 : 1);
			return isFull && isOpaqueColour(stop['stop-color'] ?? 'black', () => false);
		});
	}
}

/** The facts of an SVG, or nothing when the text is none. */
export function readSvg(source: string): SvgFacts | undefined {
	const root = readXml(source);
	if (root?.name !== 'svg') return undefined;
	const [, , boxWidth, boxHeight] = numbersIn(root.attributes.viewBox);
	// Without sizes of its own, a picture is as large as its view box.
	const width = root.attributes.width === undefined ? boxWidth : lengthOf(root.attributes.width, boxWidth);
	const height =
		root.attributes.height === undefined ? boxHeight : lengthOf(root.attributes.height, boxHeight);
	const elements = everyElement(root);
	const region = regionOf(root, width ?? 128, height ?? 128);
	const background = new Background(elements, region);
	return {
		width,
		height,
		hasOpaqueBackground: background.isPainted(root) || background.isHiddenBy(root, IDENTITY, FIRST_PAINT),
		hasActiveContent: elements.some(isActive),
		hasEmbeddedPicture: elements.some(({ name }) => name === 'image'),
	};
}
