import type { Facts } from '../admin-types.mts';
import { profiles } from '../world/names.mts';
import { personFields } from '../world/drift.mts';
import { personOptions } from './event-forms.mts';
import { status } from './table.mts';

/** What changes in the service without the partner, by a click. */
export function driftForms({ students, educators }: Facts): string {
	const people = personOptions([...students, ...educators]);
	const person = `<label>Person<select name="login">${people}</select></label>`;
	const choice = (label: string, name: string, values: readonly string[]): string =>
		`<label>${label}<select name="${name}">${values.map((value) => `<option>${value}</option>`).join('')}</select></label>`;
	return `
<p>What somebody changes in the service by hand, and what goes wrong in it. The partner is not told.</p>
<form data-path="drift/change">${person}${choice('Field', 'field', personFields)}
<label>New value<input name="value" required></label><button>Change</button>${status}</form>
<form data-path="drift/drop-bond">${person}<button>Drop a bond</button>
<button value="drift/remove">Remove the person</button><button value="drift/revoke">Revoke access without an event</button>${status}</form>
<form data-path="drift/add-bond">${person}<label>Class external ID<input name="classExternalId" required></label>
${choice(
	'Profile',
	'profile',
	profiles.map(({ type }) => type),
)}<button>Add a bond</button>${status}</form>
<form data-path="drift/hide-classes"><label>Classes that lists leave out, one a line<textarea name="classExternalIds" rows="2"></textarea></label>
<button>Hide</button><span>Empty: lists are whole again.</span>${status}</form>`;
}
