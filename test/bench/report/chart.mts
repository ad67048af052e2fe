/** The ratios as a picture. Pure: SVG text, readable on a light and on a dark page. */
import { isReached, printedRatio, type Comparison } from '../results.mts';

const WIDTH = 860;
const ROW = 46;
const TOP = 64;
const LEFT = 24;
const SCALE_LEFT = 24;
const SCALE_WIDTH = WIDTH - 2 * LEFT - 90;

/** Bars of the median ratios on a logarithmic scale, a whisker from least to most, a tick for each target. */
export function chartOf(comparisons: readonly Comparison[]): string {
	const largest = Math.max(...comparisons.map(({ ratio }) => ratio.most), 2);
	const x = (value: number) =>
		SCALE_LEFT + (Math.log(Math.max(value, 0.5) / 0.5) / Math.log(largest / 0.5)) * SCALE_WIDTH;
	const height = TOP + comparisons.length * ROW + 30;
	const grid = [0.5, 1, 2, 4, 10, 20, 50, 100].filter((value) => value <= largest);
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="Ratios of this package to what a user would pick instead">
<style>
text { font: 12px system-ui, sans-serif; fill: #334155 }
.title { font-size: 15px; font-weight: 600 }
.small { font-size: 11px; fill: #64748b }
.grid { stroke: #94a3b8; stroke-opacity: .35 }
.even { stroke: #64748b; stroke-dasharray: 4 3 }
.bar { fill: #2563eb }
.missed { fill: #d97706 }
.whisker { stroke: #64748b; stroke-width: 1.5 }
.target { stroke: #dc2626; stroke-width: 2 }
@media (prefers-color-scheme: dark) { text { fill: #e2e8f0 } .small { fill: #94a3b8 } .bar { fill: #60a5fa } }
</style>
<text class="title" x="${LEFT}" y="24">Times as fast as the alternative (memory: share of it)</text>
<text class="small" x="${LEFT}" y="42">Logarithmic. Bar: median. Grey line: least to most. Red: target.</text>
${grid.map((value) => gridLine(value, x(value), height)).join('\n')}
${comparisons.map((one, index) => row(one, TOP + index * ROW, x)).join('\n')}
</svg>
`;
}

function gridLine(value: number, at: number, height: number): string {
	const style = value === 1 ? 'even' : 'grid';
	return `<line class="${style}" x1="${round(at)}" x2="${round(at)}" y1="${TOP - 10}" y2="${height - 24}"/><text class="small" x="${round(at)}" y="${height - 8}" text-anchor="middle">${value} x</text>`;
}

function row(one: Comparison, y: number, x: (value: number) => number): string {
	const { ratio, target } = one;
	const goal = 'atLeast' in target ? target.atLeast : target.atMost;
	const middle = y + 27;
	const style = isReached(one) ? 'bar' : 'missed';
	return [
		`<text x="${LEFT}" y="${y + 14}">${escaped(`${one.what} – against: ${one.against}`)}</text>`,
		`<rect class="${style}" x="${SCALE_LEFT}" y="${y + 20}" width="${round(x(ratio.median) - SCALE_LEFT)}" height="14" rx="2"/>`,
		`<line class="whisker" x1="${round(x(ratio.least))}" x2="${round(x(ratio.most))}" y1="${middle}" y2="${middle}"/>`,
		`<line class="target" x1="${round(x(goal))}" x2="${round(x(goal))}" y1="${y + 17}" y2="${y + 37}"/>`,
		`<text x="${round(x(ratio.most) + 8)}" y="${y + 31}">${printedRatio(ratio.median)} x</text>`,
	].join('');
}

function escaped(text: string): string {
	return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}
