/** Status updates by the thousand in the real n8n: merged, halved where the service refuses, each failure with its own row. */
import type { IDataObject } from 'n8n-workflow';

import { errorOf, itemsOf } from '../../playground/n8n-client.mts';
import type { CourseState } from '../../sandbox/admin-types.mts';
import { nodeWorkflow, runOnce, setStage, TESTED, type Stage } from '../support/stage.mts';

const ACCOUNTS = 40;
const ITEMS = 2_000;
const PATH = '/enrollment/v1/accounts/';

let stage: Stage;
let courses: CourseState[];
beforeAll(async () => {
	stage = await setStage({ sandbox: { students: 120 } });
	const { items } = await stage.sandbox.admin.courses();
	courses = [...new Map(items.map((course) => [course.account_id, course])).values()].slice(0, ACCOUNTS);
});
beforeEach(async () => await stage.sandbox.admin.reset());
afterAll(async () => await stage?.end());

/** Rows of a sheet that goes through the accounts again and again; the status says which row it was. */
function rowsOfSheet(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, row) => {
		const { account_id, school_id, code } = courses[row % ACCOUNTS];
		return {
			account: account_id,
			school: school_id,
			course: code,
			status: `status-${row}`,
			notes: '',
			time: '',
		};
	});
}

async function update(rows: IDataObject[]) {
	const parameters = {
		resource: 'enrollment',
		operation: 'updateByAccount',
		accountId: '={{ $json.account }}',
		schoolId: '={{ $json.school }}',
		courseCode: '={{ $json.course }}',
		status: '={{ $json.status }}',
		additionalFields: { notes: '={{ $json.notes }}', updatedAt: '={{ $json.time }}' },
	};
	const workflow = nodeWorkflow(stage, { parameters, rows, onError: 'continueErrorOutput' });
	const execution = await runOnce(stage, workflow);
	expect(errorOf(execution)).toBeUndefined();
	return { written: itemsOf(execution, TESTED, 0), failed: itemsOf(execution, TESTED, 1) };
}

async function puts() {
	const requests = await stage.sandbox.admin.requests({ path: PATH });
	return requests.map(({ path, body, status }) => ({
		account: path.slice(PATH.length),
		rows: (body as { data: Array<{ status: string }> }).data.map((entry) =>
			Number(entry.status.slice('status-'.length)),
		),
		status,
	}));
}

test('2,000 status updates for 40 accounts travel in 40 PUTs, those of an account in the order of the rows', async () => {
	const { written, failed } = await update(rowsOfSheet(ITEMS));
	expect(failed).toEqual([]);
	expect(written.map(({ pairedItem }) => pairedItem)).toEqual(
		rowsOfSheet(ITEMS).map((_, item) => ({ item })),
	);
	const seen = await puts();
	expect(seen).toHaveLength(ACCOUNTS);
	for (const { account, rows } of seen) {
		const first = courses.findIndex(({ account_id }) => account_id === account);
		expect(rows).toEqual(Array.from({ length: ITEMS / ACCOUNTS }, (_, index) => first + index * ACCOUNTS));
	}
});

test('with three bad records among them 1,997 are written, and three leave with their own row', async () => {
	const rows = rowsOfSheet(ITEMS);
	const bad = [3, 1000, 1999];
	for (const row of bad) rows[row].course = 'NO-SUCH-COURSE';
	const { written, failed } = await update(rows);
	expect(written).toHaveLength(ITEMS - bad.length);
	expect(failed.map(({ json, pairedItem }) => ({ json, pairedItem }))).toEqual(
		bad.map((item) => ({
			json: {
				...rows[item],
				error:
					'The service refuses the data (400): ENRL-0400: data[0]: there is no enrollment in course ' +
					`"NO-SUCH-COURSE" of this school. [Item ${item}]\n` +
					'Correct the values that the service names and run the item again.',
				failure: {
					origin: 'service',
					effect: 'none',
					status: 400,
					code: 'ENRL-0400',
					next: 'Correct the values that the service names and run the item again.',
				},
			},
			pairedItem: { item },
		})),
	);
	const seen = await puts();
	expect(seen.length).toBeLessThanOrEqual(ACCOUNTS + 3 * 12);
	const accepted = seen.filter(({ status }) => status === 200).flatMap((put) => put.rows);
	expect(accepted).toHaveLength(ITEMS - bad.length);
	expect(new Set(accepted).size).toBe(ITEMS - bad.length);
});

test('what cannot be sent is refused by name, each row with its own reason, and the others are written', async () => {
	const rows = rowsOfSheet(8);
	Object.assign(rows[1], { notes: 'n'.repeat(513) });
	Object.assign(rows[2], { status: '' });
	Object.assign(rows[3], { time: '2026-03-09T12:30:00' });
	Object.assign(rows[4], { account: 'a/b' });
	Object.assign(rows[5], { account: '..' });
	Object.assign(rows[6], { account: '' });
	Object.assign(rows[7], { notes: 'n'.repeat(512) });
	const { written, failed } = await update(rows);
	const NOTHING_SENT = 'Nothing was sent for this item. Correct its values and run it again.';
	const words = [
		'Notes must be at most 512 characters long',
		'Status must not be empty',
		'Updated At must be a time in UTC, written as ISO 8601 with a zone, for example 2026-03-09T12:30:00Z',
		'Account ID must not hold a slash',
		'Account ID must not be "." or ".."',
		'Account ID must not be empty',
	];
	expect(failed.map(({ json, pairedItem }) => ({ json, pairedItem }))).toEqual(
		words.map((finding, index) => ({
			json: {
				...rows[index + 1],
				error: `${finding} [Item ${index + 1}]\n${NOTHING_SENT}`,
				failure: { origin: 'input', effect: 'none', next: NOTHING_SENT },
			},
			pairedItem: { item: index + 1 },
		})),
	);
	expect(written.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 7 }]);
	expect((await puts()).map(({ account }) => account).sort()).toEqual(
		[rows[0].account, rows[7].account].sort(),
	);
});
