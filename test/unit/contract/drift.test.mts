/**
 * The service's document is written down twice: as the contract of the nodes, and as the tables of the sandbox, by
 * other hands. Both must name the same fields, and the same sizes where the contract has any.
 */
import { operationNamed } from '../../../nodes/SchoolPartner/framework/operation.ts';
import { resources } from '../../../nodes/SchoolPartner/operations/index.ts';
import * as enrollment from '../../../nodes/shared/contract/enrollment.ts';
import * as events from '../../../nodes/shared/contract/events/tables.ts';
import * as provisioning from '../../../nodes/shared/contract/provisioning.ts';
import { storedEvent } from '../../../nodes/shared/contract/storedEvent.ts';
import * as synchronization from '../../../nodes/shared/contract/synchronization.ts';
import * as enrollmentTables from '../../../sandbox/document/enrollment.mts';
import * as eventTables from '../../../sandbox/document/events.mts';
import type { FieldTable } from '../../../sandbox/document/field-table.mts';
import * as peopleTables from '../../../sandbox/document/people.mts';
import * as provisioningTables from '../../../sandbox/document/provisioning.mts';
import * as synchronizationTables from '../../../sandbox/document/synchronization.mts';
import { operations } from '../../support/operations/index.mts';
import { SAMPLE } from '../../support/operations/row.mts';

interface Field {
	safeParse(value: unknown): { success: boolean };
}

interface Shaped {
	shape: object;
}

const namesOf = ({ fields }: FieldTable, ...left: string[]): string[] =>
	fields
		.map(({ name }) => name)
		.filter((name) => !left.includes(name))
		.sort();
const fieldsOf = ({ shape }: Shaped): string[] => Object.keys(shape).sort();

type Pair = [string, FieldTable, Shaped];

/** What each operation gives, by its row and by its contract. */
const given = operations.flatMap(({ title, resource, operation, run }): Pair[] => {
	const { gives } = run(SAMPLE);
	const work = operationNamed(resources, resource, operation)?.operation.work;
	if (gives === undefined || Array.isArray(gives) || work?.kind !== 'request') return [];
	return [[`result of ${title}`, gives, work.answer.schema as unknown as Shaped]];
});

const pairs: Pair[] = [
	...given,
	['grade', provisioningTables.gradeResource, provisioning.grade],
	['class creation', provisioningTables.classCreation, provisioning.classCreation],
	['user creation', provisioningTables.userCreation, provisioning.userCreation],
	['bond', provisioningTables.bondPayload, provisioning.bond],

	['address', synchronizationTables.address, synchronization.address],
	['cell phone', peopleTables.cellPhone, synchronization.cellPhone],
	['document', peopleTables.personDocument, synchronization.identityDocument],

	['status update', enrollmentTables.statusUpdateItem, enrollment.statusUpdate],

	['event header', eventTables.eventHeader, events.header],
	['event tenant', eventTables.eventTenant, events.tenant],
	['event school', eventTables.eventSchool, events.school],
	['event class', eventTables.eventClass, events.schoolClass],
	['event user', eventTables.eventUser, events.user],
	['event bond', eventTables.eventBond, events.bond],
	['event school structure', eventTables.structureSchool, events.structureSchool],
	['event user structure', eventTables.structureUsers, events.structureUsers],
	['access payload', eventTables.userAccessPayload, events.userAccessPayload],
	['revocation payload', eventTables.userAccessRevocationPayload, events.userAccessRevocationPayload],
	['cell phone of an event', peopleTables.cellPhone, events.cellPhone],
	['document of an event', peopleTables.personDocument, events.document],
	['profile of an event', peopleTables.profile, events.profile],
	['subject of an event', peopleTables.subject, events.subject],
];

describe('The contract and the tables of the document name the same fields', () => {
	test.each(pairs)('of a %s', (_what, table, schema) => {
		expect(fieldsOf(schema)).toEqual(namesOf(table));
	});

	test('of a user creation, in its three forms', () => {
		const names = namesOf(provisioningTables.userCreation);
		expect(fieldsOf(provisioning.userCreation)).toEqual(names);
		expect(fieldsOf(provisioning.responsibleCreation)).toEqual(names);
		// Other Profiles of the panel join the profiles on the wire.
		expect(fieldsOf(provisioning.studentCreation)).toEqual([...names, 'other_profiles'].sort());
	});

	test('of a stored event, which gains the event that it holds', () => {
		expect(fieldsOf(storedEvent)).toEqual([...namesOf(eventTables.storedEvent), 'event'].sort());
	});

	test('of a course status message', () => {
		const table = enrollmentTables.courseStatusMessage;
		expect(fieldsOf(enrollment.courseStatus)).toEqual(namesOf(table));
	});

	test('of a responsible person in a course status message', () => {
		const names = namesOf(enrollmentTables.responsibleInMessage);
		const whole = Object.fromEntries([...names, 'color'].map((name) => [name, 'x']));
		const [read] =
			enrollment.courseStatus.shape.responsible.parse([{ ...whole, date_of_birth: '1984-02-29' }]) ?? [];
		expect(Object.keys(read).sort()).toEqual(names);
	});
});

/** Text of the shape that the field may want, of about so many characters; undefined for shapes of a fixed length. */
const textOf = (field: Field, size: number): string | undefined =>
	[`${'x'.repeat(size)}`].find((value) => field.safeParse(value).success);

describe('The contract allows text up to the size of the document and no longer', () => {
	const sized = pairs.flatMap(([what, { fields }, { shape }]) =>
		fields.flatMap(({ name, type, size }) => {
			const field = (shape as Record<string, Field | undefined>)[name];
			// Texts of a form of their own (dates, GUIDs) have the length of that form.
			if (size === undefined || type !== 'string' || field === undefined) return [];
			return textOf(field, 1) === undefined ? [] : [{ what, name, size, field }];
		}),
	);

	test('for every field that has one', () => {
		expect(sized.length).toBeGreaterThan(60);
		const wrong = sized.filter(
			({ field, size }) => textOf(field, size) === undefined || textOf(field, size + 1) !== undefined,
		);
		expect(wrong.map(({ what, name, size }) => `${what}: ${name} (${size})`)).toEqual([]);
	});
});

test('No table of the sandbox is left out of the comparison', () => {
	const compared = new Set<unknown>([
		...pairs.map(([, table]) => table),
		provisioningTables.userCreation,
		eventTables.storedEvent,
		enrollmentTables.courseStatusMessage,
		enrollmentTables.responsibleInMessage,
	]);
	const tables = [provisioningTables, synchronizationTables, enrollmentTables, eventTables].flatMap(
		(tables) => Object.entries(tables).filter(([, table]) => typeof table === 'object'),
	);
	const leftOut = tables.filter(([, table]) => !compared.has(table)).map(([name]) => name);
	expect(leftOut).toEqual([]);
});
