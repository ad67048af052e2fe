/**
 * A month of a network that lives by chance (test/nights), through the node in n8n's engine, against the sandbox, whose memory says what came of it.
 * Whole years, without n8n: `npm run nights`.
 */
import type { IDataObject } from 'n8n-workflow';

import type { LoggedRequest } from '../../sandbox/admin-types.mts';
import { DAY, FIRST_DAY } from '../nights/calendar.mts';
import { filesOf, mappingOn, type Export } from '../nights/exported.mts';
import { Network } from '../nights/network.mts';
import { NightlyExports } from '../nights/nightlyExports.mts';
import { doubles, falseRequests, type Memory } from '../nights/promises.mts';
import { Chance } from '../nights/random.mts';
import { personIn, type Accepted } from '../nights/service.mts';
import { idOf, truthOf, userKey, type Truth } from '../nights/truth.mts';
import { bondKey, heldBy } from '../support/held.mts';

import { itemWithFiles, useOffice, type NightOptions } from './rosterStage.mts';
import { BOND_PATH, CLASS_PATH } from './workroom.mts';

const NIGHTS = 30;
const office = useOffice({ empty: true });

const CUSTOMS = {
	...{ schools: ['school-001', 'school-002'], grades: 2, pupilsInClass: 12 },
	...({ idsAre: 'numbers', enrolsEarly: false, emailsFrom: FIRST_DAY + 15 * DAY } as const),
};

/** What the sandbox took, by the keys of the ledger. */
function acceptedOf(requests: readonly LoggedRequest[]): Accepted[] {
	const written = requests.filter(
		({ method, status }) => ['POST', 'DELETE'].includes(method) && status < 300,
	);
	return written.map(({ method, path, body: sent }) => {
		const body = sent as Record<string, string>;
		const own = { action: method === 'POST' ? 'create' : 'remove', body } as const;
		if (path.endsWith(BOND_PATH)) return { ...own, kind: 'bond', key: bondKey(body as never) };
		const key = userKey(body.school_external_id, body.external_id);
		const isClass = path.endsWith(CLASS_PATH);
		return { ...own, kind: isClass ? 'class' : 'user', key: isClass ? key.replace('u:', 'c:') : key };
	});
}

/** Whose record each user of the sandbox is. */
async function memoryOf(requests: readonly LoggedRequest[]): Promise<Memory> {
	const { items } = await office.workroom.admin.users({ limit: 10_000 });
	const personOf = new Map(
		items.map((user) => [userKey(user.school_external_id, user.external_id), personIn({ ...user })] as const),
	);
	return { accepted: acceptedOf(requests), personOf, doubles: [] };
}

/** The export of a night, as the node gets it. */
function inputOf(tonight: Export, now: number): NightOptions {
	const files = filesOf(tonight).map(({ name, bytes }) => [name, bytes] as const);
	const { asOf, grades } = mappingOn(now, CUSTOMS.grades);
	const inSandbox = { educationalStage: 'EF1', gradeName: '5º ano', schoolExternalId: '' };
	const grade = grades.map((row) => ({ ...row, ...inSandbox }));
	return {
		roster: [itemWithFiles(Object.fromEntries(files))],
		parameters: { mapping: { asOf, grades: { grade } } },
	};
}

/** Ids of people of whom the sandbox has a user in all of their schools. */
async function knownIds({ users }: Truth): Promise<(id: string) => boolean> {
	const there = new Set(await heldBy(office.workroom.admin));
	const lacking = new Set([...users.keys()].filter((key) => !there.has(key)).map(idOf));
	return (id) => !lacking.has(id);
}

/** A run, and what a person does in the morning; true when the export was refused. */
async function night(input: NightOptions, isDisaster: boolean): Promise<boolean> {
	const { error, outputs } = await office.run('sync', input);
	if (error !== undefined) return true;
	const holds = outputs[0][0].json.holds as IDataObject[];
	const approvals = holds.map(({ hold_id }) => ({ hold_id, approve: true, by: 'Ana' }));
	if (!isDisaster && approvals.length > 0) await office.decide('approve', approvals);
	return false;
}

test('A month, with mistakes and disasters: nothing is sent that the network does not want, and in the end the service has what it wants', async () => {
	const chance = new Chance(7);
	const network = new Network(CUSTOMS, chance, FIRST_DAY);
	const exports = new NightlyExports(chance, { slips: 0.4, disasters: 0.1 });
	const [broken, wrong]: [string[], string[]] = [[], []];
	let seen = 0;
	for (let number = 0; number < NIGHTS; number++) {
		const now = FIRST_DAY + number * DAY;
		if (number > 0) network.live(now);
		const truth = truthOf(network);
		const isBetween = number > 2 && number < NIGHTS - 3;
		const { export: files, slip, disaster } = exports.of(network, isBetween, await knownIds(truth));
		const at = `night ${number}, ${disaster ?? slip ?? ''}`;
		if (slip !== undefined || disaster !== undefined) wrong.push(at);
		const isRefused = await night(inputOf(files, now), disaster !== undefined);
		if (isRefused && disaster === undefined) broken.push(`${at}: the export was refused`);
		const requests = await office.sent();
		const service = await memoryOf(requests.slice(seen));
		seen = requests.length;
		broken.push(
			...[...falseRequests({ service, truth }), ...doubles({ service })].map((one) => `${at}: ${one}`),
		);
		office.pass();
	}
	expect(broken).toEqual([]);
	expect(wrong.length).toBeGreaterThan(5);
	const { classes, users, bonds } = truthOf(network);
	const there = await heldBy(office.workroom.admin);
	expect(there).toEqual(expect.arrayContaining([...classes.keys(), ...users.keys(), ...bonds]));
	expect(there.filter((key) => key.startsWith('b:') && !bonds.has(key))).toEqual([]);
});
