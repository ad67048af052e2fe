/** From a path's `d` to outlines of straight lines (SVG 2 section 9.3). Fine enough to tell what it covers. */

export type Point = readonly [x: number, y: number];

/** Straight pieces that a curve becomes. */
const PIECES = 16;

const COMMAND = /([MmLlHhVvCcSsQqTtAaZz])([^MmLlHhVvCcSsQqTtAaZz]*)/g;
const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;
/** The two flags of an arc may stand without anything between them: `a1 1 0 01.5.5`. */
const ARC =
	/([-+]?[\d.]+(?:e[-+]?\d+)?)[\s,]*([-+]?[\d.]+(?:e[-+]?\d+)?)[\s,]*([-+]?[\d.]+(?:e[-+]?\d+)?)[\s,]*([01])[\s,]*([01])[\s,]*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)[\s,]*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)/gi;

/** How many numbers each command takes at a time. */
const ARITY: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2 };

function argumentGroups(command: string, text: string): number[][] {
	if (command === 'A') return [...text.matchAll(ARC)].map((match) => match.slice(1).map(Number));
	const numbers = (text.match(NUMBER) ?? []).map(Number);
	const size = ARITY[command];
	const groups: number[][] = [];
	for (let at = 0; at + size <= numbers.length; at += size) groups.push(numbers.slice(at, at + size));
	return groups;
}

function cubic([x0, y0]: Point, [x1, y1]: Point, [x2, y2]: Point, [x3, y3]: Point): Point[] {
	return Array.from({ length: PIECES }, (_, index) => {
		const t = (index + 1) / PIECES;
		const u = 1 - t;
		const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
		return [a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3];
	});
}

function quadratic(from: Point, [cx, cy]: Point, to: Point): Point[] {
	const near = ([x, y]: Point): Point => [x + (2 / 3) * (cx - x), y + (2 / 3) * (cy - y)];
	return cubic(from, near(from), near(to), to);
}

/** Centre parameters of an arc given by its ends: SVG 2 appendix B.2.4. */
function arc([x1, y1]: Point, group: readonly number[], [x2, y2]: Point): Point[] {
	const [turn, large, sweep] = [(group[2] * Math.PI) / 180, group[3] !== 0, group[4] !== 0];
	let [rx, ry] = [Math.abs(group[0]), Math.abs(group[1])];
	if (rx === 0 || ry === 0 || (x1 === x2 && y1 === y2)) return [[x2, y2]];
	const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
	const px = (cos * (x1 - x2) + sin * (y1 - y2)) / 2;
	const py = (cos * (y1 - y2) - sin * (x1 - x2)) / 2;
	const tooSmall = Math.max(1, Math.hypot(px / rx, py / ry));
	[rx, ry] = [rx * tooSmall, ry * tooSmall];
	const [a, b] = [(rx * py) ** 2, (ry * px) ** 2];
	const factor = (large === sweep ? -1 : 1) * Math.sqrt(Math.max(0, (rx * ry) ** 2 - a - b) / (a + b));
	const [qx, qy] = [(factor * rx * py) / ry, (-factor * ry * px) / rx];
	const centre: Point = [cos * qx - sin * qy + (x1 + x2) / 2, sin * qx + cos * qy + (y1 + y2) / 2];
	const start = Math.atan2((py - qy) / ry, (px - qx) / rx);
	let angle = Math.atan2((-py - qy) / ry, (-px - qx) / rx) - start;
	if (sweep && angle < 0) angle += 2 * Math.PI;
	if (!sweep && angle > 0) angle -= 2 * Math.PI;
	return Array.from({ length: PIECES * 2 }, (_, index) => {
		const at = start + (angle * (index + 1)) / (PIECES * 2);
		const [ex, ey] = [rx * Math.cos(at), ry * Math.sin(at)];
		return [centre[0] + cos * ex - sin * ey, centre[1] + sin * ex + cos * ey];
	});
}

/** The outlines of a path, each closed when it is filled. */
export function outlinesOf(d: string): Point[][] {
	const outlines: Point[][] = [];
	let [here, start, control]: Point[] = [
		[0, 0],
		[0, 0],
		[0, 0],
	];
	let before = '';
	const draw = (points: Point[]) => {
		// After Z, drawing goes on from the start without another M.
		if (before === 'Z' || outlines.length === 0) outlines.push([here]);
		outlines[outlines.length - 1].push(...points);
		here = points[points.length - 1];
	};
	const step = (letter: string, isRelative: boolean, group: readonly number[]) => {
		const [ox, oy] = isRelative ? here : [0, 0];
		const point = (at: number): Point => [group[at] + ox, group[at + 1] + oy];
		const mirrored = (kinds: string): Point =>
			kinds.includes(before) ? [2 * here[0] - control[0], 2 * here[1] - control[1]] : here;
		if (letter === 'M') {
			start = point(0);
			here = start;
			outlines.push([here]);
		} else if (letter === 'L') draw([point(0)]);
		else if (letter === 'H') draw([[group[0] + ox, here[1]]]);
		else if (letter === 'V') draw([[here[0], group[0] + oy]]);
		else if (letter === 'A') draw(arc(here, group, point(5)));
		else {
			const isCubic = letter === 'C' || letter === 'S';
			const first = letter === 'C' || letter === 'Q' ? point(0) : mirrored(isCubic ? 'CS' : 'QT');
			const last = letter === 'C' ? point(2) : isCubic ? point(0) : first;
			const end = point(group.length - 2);
			const from = here;
			control = last;
			draw(isCubic ? cubic(from, first, last, end) : quadratic(from, first, end));
		}
	};
	for (const [, written, text] of d.matchAll(COMMAND)) {
		const command = written.toUpperCase();
		if (command === 'Z') here = start;
		else {
			argumentGroups(command, text).forEach((group, index) => {
				// More pairs after an M are lines to there.
				const letter = command === 'M' && index > 0 ? 'L' : command;
				step(letter, written !== command, group);
				before = letter;
			});
		}
		before = command === 'M' ? 'M' : command;
	}
	return outlines;
}
