/** What the editor shows of an operation before its first run is what it gives. */
import { readFileSync } from 'node:fs';

import type { IDataObject } from 'n8n-workflow';

import { userAccess } from '../unit/trigger/sample-events.mts';

import { USER_PATH } from './workroom.mts';
import { useOffice } from './rosterStage.mts';

const office = useOffice();

interface Schema {
	type: string;
	properties?: Record<string, Schema>;
	items?: Schema;
}

const schemaOf = (operation: string) =>
	JSON.parse(
		readFileSync(`dist/nodes/SchoolPartnerRoster/__schema__/v1.0.0/${operation}.json`, 'utf8'),
	) as Schema;

function typeOf(value: unknown): string {
	if (Array.isArray(value)) return 'array';
	return typeof value === 'number' ? 'integer' : typeof value;
}

/** Where a value has what the schema does not say, or not so; what is null says nothing. */
function strangers(value: unknown, { type, properties, items }: Schema, path = ''): string[] {
	if (value === null || value === undefined) return [];
	if (typeOf(value) !== type) return [`${path} is no ${type}`];
	if (Array.isArray(value))
		return items === undefined ? [] : value.flatMap((each) => strangers(each, items, `${path}[]`));
	if (typeof value !== 'object' || properties === undefined) return [];
	return Object.entries(value).flatMap(([name, member]) =>
		properties[name] === undefined
			? [`${path}.${name} is not in the schema`]
			: strangers(member, properties[name], `${path}.${name}`),
	);
}

test('Each operation gives items of the shape that its schema shows', async () => {
	const previewed = await office.preview();
	const held = await office.sync();
	const { items: approvals } = await office.decide('approve', [
		{ hold_id: String((held.summary.holds as IDataObject[])[0].hold_id), approve: true, by: 'Ana' },
	]);
	const refused = { path: USER_PATH, bodyContains: 'ros-mother-1', times: 1 };
	await office.workroom.admin.addFault(refused, { status: 500 });
	const night = await office.sync();
	const { items: resolutions } = await office.decide('resolve', [
		{ key: 'u:school-001|ros-mother-1', is: 'inService', by: 'Ana' },
		{ key: 'u:school-001|ros-mother-1' },
	]);
	const events = [{ json: userAccess() as unknown as IDataObject }];
	const { items: access } = await office.run('recordAccess', { roster: events });
	const { items: records } = await office.run('readFiles');
	const { items: verified } = await office.run('verify');
	const questions = [{ json: { external_id: 'ros-student-1' } }];
	const { items: explained } = await office.run('explain', { roster: questions, credentials: undefined });
	const given: Record<string, IDataObject[]> = {
		preview: [previewed.summary],
		sync: [held.summary, night.summary],
		takeOver: [(await office.takeOver()).summary],
		approve: approvals,
		resolve: resolutions,
		readFiles: records,
		recordAccess: access,
		verify: verified,
		explain: explained,
	};
	for (const [operation, items] of Object.entries(given)) {
		expect(items).not.toEqual([]);
		expect([operation, items.flatMap((item) => strangers(item, schemaOf(operation)))]).toEqual([
			operation,
			[],
		]);
	}
});
