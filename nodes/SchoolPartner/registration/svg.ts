/** What the registration asks of the vector logo. Every text is walked once: no work grows faster than the file. */
import { SaxesParser } from 'saxes';

import { isActiveStyle, isActiveTag, plainEntitiesIn } from './svgActive';
import { backgroundOf, surroundingsIn, type Background, type Drawn } from './svgBackground';

export interface SvgFacts {
	/** Pixels, where the picture gives its size in a unit that is so many pixels. */
	readonly width: number | undefined;
	readonly height: number | undefined;
	readonly isInPoints: boolean;
	readonly background: Background;
	/** It holds scripts, event handlers, foreign content, or refers to other addresses. */
	readonly hasActiveContent: boolean;
}

/** In CSS, 96 pixels and 72 points are an inch. */
export const PIXELS_PER_POINT = 4 / 3;
const PIXELS_PER_UNIT = new Map([
	['px', 1],
	['pt', PIXELS_PER_POINT],
]);

/** Trap: a pattern for digits, a point and digits walks a long row of digits again and again; `Number` does not. */
function sideOf(written: string | undefined, box: number | undefined): number | undefined {
	// Without sizes of its own, a picture is as large as its view box.
	const text = written?.trim() || '100%';
	if (text === '100%') return box;
	const factor = PIXELS_PER_UNIT.get(text.slice(-2));
	return Number(factor === undefined ? text : text.slice(0, -2)) * (factor ?? 1);
}

function sizeOf({ attributes }: Drawn) {
	const [x, y, boxWidth, boxHeight] = (attributes.get('viewBox') ?? '')
		.trim()
		.split(/[\s,]+/)
		.map(Number);
	const [width, height] = [attributes.get('width'), attributes.get('height')];
	const size = { width: sideOf(width, boxWidth), height: sideOf(height, boxHeight) };
	const canvas = { x: 0, y: 0, width: size.width ?? 0, height: size.height ?? 0 };
	const region = boxWidth > 0 && boxHeight > 0 ? { x, y, width: boxWidth, height: boxHeight } : canvas;
	return { ...size, isInPoints: width?.trim().endsWith('pt') === true, region };
}

/** The facts of an SVG, or nothing when the text is none. */
export function readSvg(source: string): SvgFacts | undefined {
	const tags: Drawn[] = [];
	const open: Drawn[] = [];
	let sheet = '';
	let hasActiveContent = false;
	const parser = new SaxesParser({ xmlns: false } as const);
	parser.on('doctype', (doctype) => {
		const entities = plainEntitiesIn(doctype);
		hasActiveContent ||= entities === undefined;
		// Only that they are declared: what they stand for could make a small file large.
		for (const name of entities ?? []) parser.ENTITIES[name] = 'entity:';
	});
	parser.on('processinginstruction', ({ target }) => {
		hasActiveContent ||= target === 'xml-stylesheet';
	});
	parser.on('opentag', (written) => {
		const tag = surroundingsIn(open[open.length - 1], written);
		open.push(tag);
		tags.push(tag);
	});
	parser.on('closetag', () => open.pop());
	const keepStyle = (text: string) => {
		if (open[open.length - 1]?.name === 'style') sheet += text;
	};
	parser.on('text', keepStyle);
	parser.on('cdata', keepStyle);
	try {
		parser.write(source).close();
	} catch {
		return undefined;
	}
	if (tags[0].name !== 'svg') return undefined;
	const { region, ...size } = sizeOf(tags[0]);
	return {
		...size,
		background: backgroundOf(tags, sheet.trim() !== '', region),
		hasActiveContent: hasActiveContent || isActiveStyle(sheet) || tags.some(isActiveTag),
	};
}
