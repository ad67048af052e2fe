/** A creation that is refused since something exists: it may be somebody else's, so nobody is bound to it (rule 9). */
import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { Nights } from '../night.mts';
import { Service } from '../service.mts';
import { aBond, aClass, aStudent, aUser, FAMILY } from '../world.mts';

const MAIL = { email: 'Family@example.org' };
const GRANDMOTHER = aUser('r9', 'responsible', 'school-1', { email: 'family@example.org' });
const TEACHER = aUser('t9', 'educator', 'school-1', { email: 'family@example.org' });
const FRESH = [
	TEACHER,
	GRANDMOTHER,
	aStudent('s9', ['r9']),
	aBond('s9', 'c1'),
	aBond('t9', 'c1', 'educator'),
];
const mother = FAMILY.map((record) =>
	record.fields.external_id === 'r1' ? aUser('r1', 'responsible', 'school-1', MAIL) : record,
);
const SAME_MAIL = [...mother, ...FRESH];

/** A service that has each e-mail once, whatever its case, and a family of which one is there with it. */
async function sharedMail(): Promise<Nights> {
	const service = new Service();
	service.uniqueTexts = ({ email }) => (typeof email === 'string' ? [email] : []);
	return await Nights.after(mother, {}, service);
}

const isOfFresh = (name: string) => /[rst]9/.test(name);
const corrected = (id: string): RosterRecord[] =>
	SAME_MAIL.map((record) =>
		record.fields.external_id === id
			? { ...record, fields: { ...record.fields, email: `${id}@example.org` } }
			: record,
	);

test('Who shares an e-mail with somebody is told, and no bond and no link goes to the other account, on no night', async () => {
	const nights = await sharedMail();
	for (let night = 0; night < 3; night++) {
		const { plan, told } = await nights.sync(SAME_MAIL);
		const refused = ['create u:school-1|r9 exists', 'create u:school-1|t9 exists'];
		expect(told.filter((text) => text.endsWith(' exists')).sort()).toEqual(night === 0 ? refused : []);
		if (night > 0)
			expect(plan.findings.filter(({ code }) => code === 'exists').map(({ key }) => key)).toEqual([
				...['u:school-1|t9', 'u:school-1|r9'],
			]);
		nights.pass();
	}
	expect(nights.service.all().filter(isOfFresh)).toEqual([]);
	expect(nights.service.requests.filter((request) => request.includes('b:') && isOfFresh(request))).toEqual(
		[],
	);
});

test('Where the service ignores the case of ids, who has one of them in capitals is bound to nobody', async () => {
	const service = new Service();
	service.uniqueTexts = ({ external_id: id }) => [String(id)];
	const nights = await Nights.after(FAMILY, {}, service);
	const other = [
		...FAMILY,
		aUser('T1', 'educator', 'school-1', { first_name: 'Otto' }),
		aBond('T1', 'c2', 'educator'),
	];
	expect((await nights.sync(other)).told).toEqual([]);
	// A person says that it is somebody else; the service has it for the same one.
	await nights.resolve('u:school-1|T1', 'notInService');
	for (let night = 0; night < 3; night++) {
		await nights.sync(other);
		nights.pass();
	}
	expect(nights.attention('exists').map(({ key }) => key)).toEqual(['u:school-1|T1']);
	expect(nights.service.all().filter((key) => key.includes('T1'))).toEqual([]);
});

test('That it was uncertain before proves nothing: refused as existing, it waits for a person', async () => {
	const nights = await sharedMail();
	nights.service.fault = (_action, { external_id: id }) => (id === 't9' ? 'never arrives' : undefined);
	await nights.sync(SAME_MAIL);
	nights.service.fault = () => undefined;
	await nights.resolve('u:school-1|t9', 'notInService');
	expect((await nights.sync(SAME_MAIL)).told).toContain('create u:school-1|t9 exists');
	expect((await nights.sync(SAME_MAIL)).told).toEqual([]);
});

test('A corrected e-mail is sent the same night, with all that waited for it', async () => {
	const nights = await sharedMail();
	await nights.sync(SAME_MAIL);
	expect((await nights.sync(corrected('r9'))).told).toEqual([
		...['create u:school-1|r9 applied', 'create u:school-1|s9 applied'],
		'create b:school-1|c1|s9|student applied',
	]);
	expect((await nights.sync(corrected('r9'))).told).toEqual([]);
});

test('A corrected e-mail that could not be sent, since the service was away, is sent in the next run', async () => {
	const nights = await sharedMail();
	await nights.sync(SAME_MAIL);
	nights.service.fault = () => 429;
	await nights.sync(corrected('t9'));
	nights.service.fault = () => undefined;
	expect((await nights.sync(corrected('t9'))).told).toContain('create u:school-1|t9 applied');
});

test('A corrected e-mail that is refused for another reason is told with that one, and tried again like any', async () => {
	const nights = await sharedMail();
	await nights.sync(SAME_MAIL);
	nights.service.fault = (_action, { external_id: id }) => (id === 't9' ? 404 : undefined);
	nights.pass();
	await nights.sync(corrected('t9'));
	nights.service.fault = () => undefined;
	const told: string[] = [];
	for (let night = 0; night < 3; night++) {
		nights.pass();
		told.push(...(await nights.sync(corrected('t9'))).told);
		expect(nights.attention('exists').map(({ key }) => key)).not.toContain('u:school-1|t9');
	}
	expect(told).toContain('create u:school-1|t9 applied');
});

test('Adopted, it is taken for ours', async () => {
	const service = new Service();
	const nights = await Nights.after(FAMILY, {}, service);
	service.there.set('u:school-1|t9', 1);
	const adopt = { existing: 'adopt', statuses: { existing: 'adopt' } } as const;
	expect((await nights.sync([...FAMILY, TEACHER, FRESH[4]], adopt)).told).toEqual([
		...['create u:school-1|t9 applied', 'create b:school-1|c1|t9|educator applied'],
	]);
});

test('Who exists, and may be somebody else, is never told as one to be removed in the service when the corrected id comes', async () => {
	const service = new Service();
	const nights = await Nights.after(FAMILY, {}, service);
	for (const stranger of ['u:school-1|4711', 'c:school-1|k1']) service.there.set(stranger, 1);
	const withIds = (user: string, ofClass: string) => [
		...FAMILY,
		aClass(ofClass),
		aUser(user, 'student', 'school-1', { first_name: 'Bia', birth_date: '2015-03-01' }),
		aBond(user, ofClass),
	];
	await nights.sync(withIds('4711', 'k1'));
	expect(nights.attention('exists')).toHaveLength(2);
	for (let night = 0; night < 3; night++) {
		nights.pass();
		const { plan } = await nights.sync(withIds('4712', 'k2'));
		expect(nights.telling?.attention).toEqual([]);
		expect([plan.left, plan.counts.all().user.left]).toEqual([[], undefined]);
	}
	expect(service.there.has('b:school-1|k2|4712|student')).toBe(true);
});

test('Who exists and is the same one, as a person says, is told when it leaves', async () => {
	const service = new Service();
	const nights = await Nights.after(FAMILY, {}, service);
	service.there.set('u:school-1|t9', 1);
	await nights.sync([...FAMILY, TEACHER]);
	await nights.resolve('u:school-1|t9', 'inService');
	await nights.sync([...FAMILY, TEACHER]);
	await nights.sync(FAMILY);
	expect(nights.attention('userLeft').map(({ key }) => key)).toEqual(['u:school-1|t9']);
});
