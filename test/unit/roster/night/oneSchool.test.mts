/** A school that the service keeps from this client, before the operator has given it or after: the nights of the others go on. */
import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { runFindings } from '../../../../nodes/SchoolPartnerRoster/run/runFindings.ts';
import { checkWith } from '../../../../nodes/SchoolPartnerRoster/run/sending.ts';
import type { Connection } from '../../../../nodes/SchoolPartnerRoster/run/connection.ts';
import { NOT_BEGUN } from '../../../../nodes/shared/failure.ts';
import type { ServiceRequest } from '../../../../nodes/shared/transport/request.ts';
import { Nights, type Ended } from '../night.mts';
import { Service } from '../service.mts';
import { aBond, aClass, aSchool, aUser, isBond, rosterOf } from '../world.mts';

const isBondOf =
	(user: string) =>
	({ kind, fields }: RosterRecord) =>
		kind === 'bond' && fields.user_external_id === user;
const without = (records: readonly RosterRecord[], user: string) =>
	records.filter((record) => !isBondOf(user)(record));

/** What a person reads of the schools that are forbidden. */
function forbiddenTold({ plan, sent }: Ended): string[] {
	const ofRun = { roster: rosterOf([]), rows: 1, runBytes: 1, now: 1 };
	const found = runFindings({ getNodeParameter: () => 'postgres' } as never, plan, sent, ofRun);
	return found.filter(({ code }) => code === 'schoolForbidden').map(({ message }) => message);
}

describe('Where all of one school is forbidden (403)', () => {
	function forbidding(school: string): Service {
		const service = new Service();
		service.fault = (_action, { school_external_id: of }) => (of === school ? 403 : undefined);
		return service;
	}

	test('and it is new: who leaves another school is taken out of class, and who comes is put into one', async () => {
		const service = forbidding('school-2');
		const nights = await Nights.after(aSchool('school-1', 4, 25), {}, service);
		const isNew = aSchool('school-2', 4, 25);
		const left = 'school-1-c1-s1';
		const later = [
			...without(aSchool('school-1', 4, 25), left),
			aUser('t-new', 'educator', 'school-1'),
			aBond('t-new', 'school-1-c1', 'educator', 'school-1'),
		];
		for (const ofFirst of [aSchool('school-1', 4, 25), aSchool('school-1', 4, 25), later]) {
			await nights.approveAll(await nights.sync([...ofFirst, ...isNew]));
			nights.pass();
		}
		await nights.sync([...later, ...isNew]);
		expect(service.there.has(`b:school-1|school-1-c1|${left}|student`)).toBe(false);
		expect(service.there.has('b:school-1|school-1-c1|t-new|educator')).toBe(true);
	});

	test('and it has left: removals of the schools behind it in the alphabet go on', async () => {
		const service = new Service();
		const stays = aSchool('school-2', 4, 25);
		const nights = await Nights.after([...aSchool('school-1', 5, 25), ...stays], {}, service);
		for (let night = 0; night < 8; night++) {
			await nights.approveAll(await nights.sync(stays));
			nights.pass();
		}
		service.fault = (_action, { school_external_id: of }) => (of === 'school-1' ? 403 : undefined);
		const left = 'school-2-c1-s1';
		for (let night = 0; night < 2; night++) {
			await nights.approveAll(await nights.sync(without(stays, left)));
			nights.pass();
		}
		expect(service.there.has(`b:school-2|school-2-c1|${left}|student`)).toBe(false);
	});

	test('or six of twenty: the others get who is new in them, and a person is told of the six', async () => {
		const service = new Service();
		const schools = Array.from({ length: 20 }, (_, n) => `sch-${String(n).padStart(2, '0')}`);
		const before = schools.flatMap((school) => aSchool(school, 2, 60));
		const nights = await Nights.after(before, {}, service);
		const taken = schools.slice(0, 6);
		service.fault = (_action, { school_external_id: of }) => (taken.includes(String(of)) ? 403 : undefined);
		const fresh = taken.flatMap((school) =>
			Array.from({ length: 160 }, (_, n) => [
				aUser(`${school}-new${n}`, 'educator', school),
				aBond(`${school}-new${n}`, `${school}-c1`, 'educator', school),
			]).flat(),
		);
		const last = [aUser('zoe', 'educator', 'sch-19'), aBond('zoe', 'sch-19-c1', 'educator', 'sch-19')];
		await nights.approveAll(await nights.sync([...before, ...fresh, ...last]));
		nights.pass();
		const ended = await nights.sync([...before, ...fresh, ...last]);
		expect(service.there.has('b:sch-19|sch-19-c1|zoe|educator')).toBe(true);
		expect(ended.sent.refusedAlike).toEqual([]);
		expect(forbiddenTold(ended)).toEqual(
			taken.map(
				(school) =>
					`The service forbids what was sent of school ${school} (403), and the rest of it was left out`,
			),
		);
		// Their bonds wait for them, and are no news of their own.
		expect(nights.attention('notTried')).toEqual([]);
	});

	test('the first hundred of a kind of the others are still looked at before more of them go', async () => {
		const service = new Service();
		const before = [aClass('c1'), aClass('d1', 'school-2')];
		const nights = await Nights.after(before, { holdCreationsFrom: 100_000 }, service);
		const users = (school: string, count: number) =>
			Array.from({ length: count }, (_, n) => aUser(`${school}-${n}`, 'educator', school));
		service.fault = (_action, { school_external_id: of }) => (of === 'school-1' ? 403 : 422);
		service.requests.length = 0;
		await nights.sync([...before, ...users('school-1', 120), ...users('school-2', 900)]);
		const refused = service.requests.filter((one) => one.includes('school-2'));
		expect(refused.length).toBeLessThanOrEqual(110);
	});

	test('another school is not told to be so, where its bonds need users of that one', async () => {
		const service = forbidding('school-1');
		const before = [aClass('d1', 'school-2')];
		const inNetwork = { holdCreationsFrom: 100_000, userIdsUniqueWithin: 'network' } as const;
		const nights = await Nights.after(before, inNetwork, service);
		const names = Array.from({ length: 200 }, (_, n) => `t${n}`);
		const fresh = names.flatMap((name) => [
			aUser(name, 'educator', 'school-1'),
			aBond(name, 'd1', 'educator', 'school-2'),
		]);
		const told = forbiddenTold(await nights.sync([...before, ...fresh]));
		expect(told).toEqual([expect.stringContaining('school school-1 ')]);
	});

	test('only of the new values of its users: who moves there leaves the old class, and who is new comes', async () => {
		const service = new Service();
		const staff = (more = {}) =>
			Array.from({ length: 120 }, (_, n) => aUser(`a${n}`, 'educator', 'school-1', more));
		const isNew = [aUser('zoe', 'educator'), aBond('zoe', 'c2', 'educator')];
		const before = [aClass('c1'), aClass('c2'), aUser('p1', 'student'), aBond('p1', 'c1')];
		const nights = await Nights.after([...before, ...staff()], { changedRecords: 'sendAgain' }, service);
		service.fault = (_action, { email }) => (email === undefined ? undefined : 403);
		const moved = before.map((one) => (isBond(one) ? aBond('p1', 'c2') : one));
		await nights.approveAll(await nights.sync([...moved, ...staff({ email: 'a@school.example' })]));
		nights.pass();
		await nights.sync([...moved, ...staff({ email: 'a@school.example' }), ...isNew]);
		expect(service.all().filter((key) => key.startsWith('b:'))).toEqual([
			'b:school-1|c2|p1|student',
			'b:school-1|c2|zoe|educator',
		]);
	});
});

describe('Where the service does not say what a new school has', () => {
	/** A connection to a service that answers this status of the school. */
	function connection(status: number): Connection {
		const found = (data: object[]) => ({
			ok: true,
			value: { status: 200, headers: {}, text: JSON.stringify({ data }) },
		});
		const send = async ({ path, query }: ServiceRequest) => {
			if (!path.includes('educational-stages'))
				return found(['student', 'responsible', 'educator'].map((type) => ({ type })));
			if (!JSON.stringify(query).includes('school-new'))
				return found([{ name: 'EF1', grades: [{ name: '5º ano' }] }]);
			const failure = { ...NOT_BEGUN, origin: 'service', status, message: `The service refuses (${status})` };
			return { ok: false, failure };
		};
		const engine = { send, simplify: true, batchSize: 1, begunAtOnce: 4, stopsAtFailure: false };
		return {
			logRequests() {},
			engine: { ...engine, signal: undefined, beginStep() {} },
		} as never;
	}

	const before = [
		...aSchool('school-1', 2, 5),
		aUser('t1', 'educator'),
		aBond('t1', 'school-1-c1', 'educator'),
	];
	const tonight = [...without(before, 'school-1-c1-s1'), aClass('n1', 'school-new')];
	const gone = 'remove b:school-1|school-1-c1|school-1-c1-s1|student removed';

	test.each([403, 422, 500])(
		'(%i), nothing of it is sent, and is told with the words; of the others all is',
		async (status) => {
			const nights = await Nights.after(before, {}, new Service());
			const { told } = await nights.sync(tonight, {
				check: checkWith(connection(status), rosterOf(tonight)),
			});
			expect(told).toEqual([gone]);
			expect(nights.attention('schoolNotAnswered').map(({ message }) => message)).toEqual([
				`The service does not say what the school "school-new" has. The service refuses (${status})`,
			]);
		},
	);

	test('(500), and neither of any other that it is asked for, it is away', async () => {
		const nights = await Nights.after(before, {}, new Service());
		const two = [...tonight, aClass('n2', 'school-new-too')];
		const night = nights.sync(two, { check: checkWith(connection(500), rosterOf(two)) });
		await expect(night).rejects.toMatchObject({ failure: { status: 500 } });
	});

	test.each([401, 429, 503])('(%i), it is the service that is away', async (status) => {
		const nights = await Nights.after(before, {}, new Service());
		const night = nights.sync(tonight, { check: checkWith(connection(status), rosterOf(tonight)) });
		await expect(night).rejects.toMatchObject({ failure: { status } });
	});
});
