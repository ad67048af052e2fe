/** What a person has chosen under Options and Mapping: checked, and told by its label where it will not do. */
import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import * as z from 'zod/v4-mini';

import type { Expressions } from '../../shared/actions/expressions';
import { between, sendingShape } from '../../shared/actions/sending';
import { collectionSources, valuesOf } from '../../shared/actions/sources';
import { commaSeparated, isEmpty } from '../../shared/contract/empty';
import { goneStatuses, refusalStatuses } from '../../shared/contract/statuses';
import { failed, success, type Failure, type Outcome } from '../../shared/failure';
import { mapping } from '../panel/mapping';
import { options } from '../panel/options';
import { PLAN_DEFAULTS } from '../planning/options';
import type { Mapping } from '../reading/mapping';

import { contradictionInQuery } from './confirmation';
import { inputFailure } from './failures';

const oneOf = <const Values extends readonly string[]>(values: Values) =>
	z.enum(values, { error: `must be ${values.slice(0, -1).join(', ')} or ${values[values.length - 1]}` });
const onOrOff = z.boolean({ error: 'must be on or off' });
const text = z.string({ error: 'must be text' });
const texts = commaSeparated(
	z.array(text, { error: 'must be text with commas between the entries, or a list' }),
);

const MOST = 1_000_000;
const LONGEST_GRACE_DAYS = 366;

const readShape = {
	fileFields: z._default(texts, []),
	userIdsUniqueWithin: z._default(oneOf(['network', 'school']), PLAN_DEFAULTS.userIdsUniqueWithin),
};

const takeOverShape = { ...readShape, onlySchools: z._default(texts, []) };

const queryParameter = z.object({ name: z._default(text, ''), value: z._default(text, '') });

const nightShape = {
	...takeOverShape,
	...sendingShape,
	changedRecords: z._default(oneOf(['report', 'sendAgain']), PLAN_DEFAULTS.changedRecords),
	checkWithService: z._default(onOrOff, true),
	confirmation: z._default(oneOf(['answer', 'callback']), PLAN_DEFAULTS.confirmation),
	confirmationQuery: z._default(z.object({ parameter: z.optional(z.array(queryParameter)) }), {}),
	confirmedStatuses: z._default(texts, ['created']),
	creationsAgainOn503: z._default(onOrOff, true),
	disabledUsers: z._default(oneOf(['keep', 'hasLeft']), 'keep'),
	existing: z._default(oneOf(['report', 'adopt']), PLAN_DEFAULTS.existing),
	existsStatuses: z._default(refusalStatuses, []),
	goneStatuses: z._default(goneStatuses, [404]),
	gracePeriodDays: z._default(between(0, LONGEST_GRACE_DAYS), PLAN_DEFAULTS.gracePeriodDays),
	holdCreationsFrom: z._default(between(1, MOST), PLAN_DEFAULTS.holdCreationsFrom),
	holdCreationsPercent: z._default(between(0, 100), PLAN_DEFAULTS.holdCreationsPercent),
	holdRemovalsFrom: z._default(between(1, MOST), PLAN_DEFAULTS.holdRemovalsFrom),
	holdRemovalsPercent: z._default(between(0, 100), PLAN_DEFAULTS.holdRemovalsPercent),
	keepPastYears: z._default(onOrOff, PLAN_DEFAULTS.keepPastYears),
	missingRowsMean: z._default(oneOf(['nothing', 'hasLeft']), 'nothing'),
};

const LONGEST_SHARE = 366;

const verifyShape = {
	...sendingShape,
	noAccessAfterDays: z._default(between(0, 3_650), 30),
	profileNames: z._default(
		z.object({ profile: z.optional(z.array(z.object({ name: text, profile: text }))) }),
		{},
	),
	share: z._default(between(1, LONGEST_SHARE), 1),
	tenantId: z._default(text, ''),
};

const gradeRow = z.object({
	gradeCode: text,
	educationalStage: text,
	gradeName: text,
	schoolExternalId: z._default(text, ''),
});
const schoolRow = z.object({ schoolCode: text, schoolExternalId: text });
const roleRow = z.object({ role: text, profile: z._default(text, '') });
const ID_COLUMNS = ['sourcedId', 'identifier'] as const;

const mappingShape = {
	asOf: z.optional(text),
	classIdFrom: z._default(oneOf([...ID_COLUMNS, 'identifierAndYear'] as const), 'sourcedId'),
	classTypes: z.optional(
		z.array(oneOf(['homeroom', 'scheduled']), { error: 'must be a list of homeroom and scheduled' }),
	),
	dateFormat: z.optional(oneOf(['YYYY-MM-DD', 'DD/MM/YYYY', 'MM/DD/YYYY', 'DD.MM.YYYY'])),
	documentFrom: z.optional(text),
	documentType: z.optional(text),
	grades: z.optional(z.object({ grade: z.optional(z.array(gradeRow)) })),
	roles: z.optional(z.object({ role: z.optional(z.array(roleRow)) })),
	responsibleIds: z._default(oneOf(['column', 'document', 'student']), 'column'),
	schools: z.optional(z.object({ school: z.optional(z.array(schoolRow)) })),
	schoolIdFrom: z._default(oneOf(ID_COLUMNS), 'sourcedId'),
	userIdFrom: z._default(oneOf(['sourcedId', 'identifier', 'username']), 'sourcedId'),
	year: z.optional(
		z.pipe(
			z.transform((value: unknown) =>
				typeof value === 'string' && /^\s*\d{1,4}\s*$/.test(value) ? Number(value) : value,
			),
			between(1, 9999),
		),
	),
	yearFrom: z.optional(oneOf(['asGiven', 'end', 'start'])),
};

const SETTINGS = {
	night: { collection: 'options', panel: options.night, schema: z.object(nightShape) },
	takeOver: { collection: 'options', panel: options.takeOver, schema: z.object(takeOverShape) },
	readFiles: { collection: 'options', panel: options.readFiles, schema: z.object(readShape) },
	verify: { collection: 'options', panel: options.verify, schema: z.object(verifyShape) },
	mapping: { collection: 'mapping', panel: mapping, schema: z.object(mappingShape) },
} as const;

type Settings = typeof SETTINGS;

export type SettingsOf<Name extends keyof Settings> = z.output<Settings[Name]['schema']>;
export type NightSettings = SettingsOf<'night'>;

export type ReadSettings = SettingsOf<'readFiles'> &
	Partial<Pick<NightSettings, 'missingRowsMean' | 'disabledUsers'>>;

/** What holds for the whole run: expressions are evaluated for the first item. Entries that are left empty have their default. */
export function settingsOf<Name extends keyof Settings>(
	name: Name,
	context: Expressions,
	items: readonly INodeExecutionData[],
): Outcome<SettingsOf<Name>> {
	const { collection, panel, schema } = SETTINGS[name];
	const entries = (panel.options ?? []).filter((option): option is INodeProperties => 'type' in option);
	const fields = Object.fromEntries(entries.map((entry) => [entry.name, entry]));
	const read = valuesOf(collectionSources(context, items, collection, fields), 0);
	if (!read.ok) return read;
	const { values, nothing } = read.value;
	// Every other option that gives nothing has a default that is careful.
	if (nothing.some(([option]) => option === 'onlySchools')) return failed(NO_SCHOOLS);
	const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value)));
	const checked = schema.safeParse(filled);
	if (!checked.success) {
		const [{ path, message }] = checked.error.issues;
		return failed(
			inputFailure({
				message: `${placeOf(fields, path)} ${message}`,
				next: `Change it under ${panel.displayName} in this node. Nothing was read, and nothing was sent.`,
			}),
		);
	}
	const contradiction = contradictionIn(context, checked.data as Partial<NightSettings>);
	return contradiction === undefined ? success(checked.data as SettingsOf<Name>) : failed(contradiction);
}

/** Those of a night, where an operation has only some of them. */
export function nightSettings(some: Partial<NightSettings>): NightSettings {
	return { ...SETTINGS.night.schema.parse({}), ...some };
}

/** Why options that will do by themselves will not do together. */
function contradictionIn(context: Expressions, settings: Partial<NightSettings>): Failure | undefined {
	const { onlySchools, existing, existsStatuses, confirmation, confirmationQuery } = settings;
	if (existing === 'adopt' && existsStatuses?.length === 0) return ADOPT_WITHOUT_STATUSES;
	const contradiction = confirmation === 'callback' ? contradictionInQuery(confirmationQuery) : undefined;
	if (contradiction !== undefined) return contradiction;
	if (onlySchools?.length !== 0) return undefined;
	// Filled in, it may name none: an expression that comes to an empty text or list, a comma. Left empty, it means all.
	const written = context.getNodeParameter('options', 0, {}, { rawExpressions: true }) as IDataObject;
	return (written.onlySchools ?? '') === '' ? undefined : NO_SCHOOLS;
}

const NO_SCHOOLS = inputFailure({
	message: 'Only Schools names no school, and without it all schools would be planned',
	next: 'Correct it, or take the option out. Nothing was read, and nothing was sent.',
});

const ADOPT_WITHOUT_STATUSES = inputFailure({
	code: 'adoptWithoutStatuses',
	message: 'Existing Records is set to Adopt, and Statuses That Mean It Exists is empty',
	next: 'Name the statuses with which your service refuses what exists already, for example 409. Without them, what is sent again could be created twice. Nothing was read, and nothing was sent.',
});

/** "Batch Size", or "Row 2 of Grades: Grade Code". */
function placeOf(
	fields: Readonly<Record<string, INodeProperties>>,
	[name, , row, member]: readonly PropertyKey[],
): string {
	const field = fields[String(name)];
	if (typeof row !== 'number') return field.displayName;
	const [group] = field.options ?? [];
	const values = group !== undefined && 'values' in group ? group.values : [];
	const label = values.find((value) => value.name === member)?.displayName;
	return `Row ${row + 1} of ${field.displayName}${label === undefined ? '' : `: ${label}`}`;
}

/** @param options what stands under Options, and reading needs too */
export function mappingOf(
	context: Expressions,
	items: readonly INodeExecutionData[],
	options: Pick<Mapping, 'userKeys' | 'disabledUsers'>,
): Outcome<Mapping> {
	const read = settingsOf('mapping', context, items);
	if (!read.ok) return read;
	const { grades, roles, schools, ...rest } = read.value;
	return success({
		...rest,
		schools: schools?.school,
		grades: grades?.grade,
		roles: roles?.role,
		...options,
	});
}
