import { LIMITS } from '../command-line.mts';
import { rosterFormats } from '../roster/export.mts';
import type { WorldSize } from '../world/seed-world.mts';

const number = (label: string, name: 'students' | 'schools' | 'tonight', value: number): string =>
	`<label>${label}<input name="${name}" type="number" required min="${LIMITS[name][0]}" max="${LIMITS[name][1]}" value="${value}"></label>`;

/** Downloads: the roster of a night, and what is to be known about it. A plain form, without the page's script. */
export function rosterForm({ students, schools }: WorldSize, baseUrl: string): string {
	const formats = rosterFormats.map((format) => `<option>${format}</option>`).join('');
	return `
<p>The network as its own system exports it at night: a zip of CSV files for the School Partner Roster node.</p>
<form action="roster">
<label>Format<select name="format">${formats}</select></label>
${number('Students', 'students', students)}
${number('Schools', 'schools', schools)}
${number('Changes tonight', 'tonight', 0)}
<button>Download</button><button formaction="roster/sheet">An office's sheet</button><button formaction="roster/changes">What changes</button></form>
<p>For an HTTP Request node with the response format File: <code>${baseUrl}/_sandbox/roster?format=oneroster-1.2</code>, and for a night of ten changes <code>&amp;tonight=10</code> behind it.</p>
<p><a href="roster/mapping">The mapping that fits</a>: grade codes and roles of these files, and what the service calls them.</p>`;
}
