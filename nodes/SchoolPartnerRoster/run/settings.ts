/** What a person has chosen under Options and Mapping: checked by what the panel says of each, and told by its label where it will not do. */
import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import * as z from 'zod/v4-mini';

import type { Expressions } from '../../shared/actions/expressions';
import { between, sendingShape } from '../../shared/actions/sending';
import { collectionSources, valuesOf, type Values } from '../../shared/actions/parameters';
import {
	calendarDate,
	commaSeparated,
	dayOfMoment,
	guid,
	holdsNothing,
	isEmpty,
	namesOrEmpty,
	wholeNumber,
} from '../../shared/contract/blocks';
import { goneStatuses, refusalStatuses } from '../../shared/contract/statuses';
import { inputFailure, ThrownFailure, valueOf, type Failure } from '../../shared/failure';
import { mapping } from '../panel/mapping';
import { options } from '../panel/options';
import type { PlanOptions } from '../planning/options';
import type { Mapping } from '../reading/mapping';
import type { StatusOptions } from '../sending/result';

import { contradictionInQuery, type QueryParameter } from './confirmation';

/** Of an operation that has no such options. */
export const SENDING_DEFAULTS = z.object(sendingShape).parse({});

export type SendingSettings = typeof SENDING_DEFAULTS;

export interface ReadSettings extends Pick<PlanOptions, 'userIdsUniqueWithin'> {
	fileFields: readonly string[];
}

export interface NightSettings
	extends ReadSettings,
		PlanOptions,
		StatusOptions,
		SendingSettings,
		Pick<Mapping, 'disabledUsers'> {
	checkWithService: boolean;
	confirmationQuery: readonly QueryParameter[];
	confirmedStatuses: readonly string[];
	creationsAgainOn503: boolean;
	missingRowsMean: 'nothing' | 'hasLeft';
}

interface VerifySettings extends SendingSettings {
	noAccessAfterDays: number;
	profileNames: ReadonlyArray<{ name: string; profile: string }>;
	share: number;
	tenantId?: string;
}

/** What is said under Mapping; `asOf` is empty for today. */
type MappingSettings = Omit<Mapping, 'userKeys' | 'disabledUsers'>;

/** By the names of what the panel offers. */
export interface SettingsByName {
	night: NightSettings;
	takeOver: ReadSettings & Pick<PlanOptions, 'onlySchools'>;
	readFiles: ReadSettings;
	verify: VerifySettings;
	mapping: MappingSettings;
}

const PANELS: Readonly<Record<keyof SettingsByName, INodeProperties>> = { ...options, mapping };

const DOCUMENT_FROM_ERROR = 'must be identifier, userIds or an extension column such as metadata.document';

const anyText = z.string({ error: 'must be text' });
const anyTexts = z.array(anyText, { error: 'must be text with commas between the entries, or a list' });
const listOfTexts = z._default(commaSeparated(anyTexts), []);

/** Trap: capitals do not count in the names of columns. */
const documentColumn = z.pipe(
	anyText.check(z.trim(), z.regex(/^(identifier|userIds|metadata\..+)$/i, { error: DOCUMENT_FROM_ERROR })),
	z.transform(
		(name) => ['identifier', 'userIds'].find((one) => one.toLowerCase() === name.toLowerCase()) ?? name,
	),
);

/** What the panel shows as a text, and is none. */
const MORE_THAN_TEXT: Readonly<Partial<Record<string, z.ZodMiniType>>> = {
	asOf: z._default(dayOfMoment(calendarDate()), ''),
	confirmedStatuses: listOfTexts,
	documentFrom: z._default(documentColumn, ''),
	existsStatuses: z._default(refusalStatuses, []),
	fileFields: z._default(namesOrEmpty(anyTexts), []),
	goneStatuses,
	onlySchools: listOfTexts,
	tenantId: z.optional(guid()),
	year: z.optional(wholeNumber('must be a whole number from 1 to 9999', 1, 9999)),
};

/** Of a number that the panel does not limit. */
const LARGEST_NUMBER = 1_000_000;

function checkOf({ name, type, typeOptions, options: offered = [] }: INodeProperties): z.ZodMiniType {
	const values = offered.flatMap((option) => ('value' in option ? String(option.value) : []));
	const oneOfThem = z.enum(values, {
		error: `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`,
	});
	switch (type) {
		case 'boolean':
			return z.boolean({ error: 'must be on or off' });
		case 'number':
			return between(typeOptions?.minValue ?? 0, typeOptions?.maxValue ?? LARGEST_NUMBER);
		case 'options':
			return oneOfThem;
		case 'multiOptions':
			return z.array(oneOfThem, { error: `must be a list of ${values.join(' and ')}` });
		case 'fixedCollection': {
			const [group] = offered.filter((option) => 'values' in option);
			const cells = group.values.map((one) => [one.name, z._default(anyText, '')] as const);
			const rows = z._default(z.array(z.object(Object.fromEntries(cells))), []);
			return z.pipe(
				z.object({ [group.name]: rows }),
				z.transform((given) => given[group.name]),
			);
		}
		default:
			return MORE_THAN_TEXT[name] ?? z._default(anyText.check(z.trim()), '');
	}
}

/** What holds for the whole run: expressions are evaluated for the first item. Entries that are left empty have their default. */
export function settingsOf<Name extends keyof SettingsByName>(
	name: Name,
	context: Expressions,
	items: readonly INodeExecutionData[],
): SettingsByName[Name] {
	const panel = PANELS[name];
	const fields = panelEntries(panel);
	const collection = panel.name as 'mapping' | 'options';
	const read = valueOf(valuesOf(collectionSources(context, items, collection, fields), 0));
	const lost = lostValue(context, collection, fields, read);
	if (lost !== undefined)
		throw new ThrownFailure(expressionGivesNothing(placeOfSetting(fields, lost), panel.displayName));
	const checked = check(fields, read.values);
	if (!checked.success) {
		const [{ path, message }] = checked.error.issues;
		throw new ThrownFailure(
			inputFailure({
				message: `${placeOfSetting(fields, path)} ${message}`,
				next: `Change it under ${panel.displayName} in this node. Nothing was read, and nothing was sent.`,
			}),
		);
	}
	const settings = checked.data as unknown as SettingsByName[Name];
	const contradiction = contradictionIn(context, settings as Partial<NightSettings & MappingSettings>);
	if (contradiction !== undefined) throw new ThrownFailure(contradiction);
	return settings;
}

type Steps = Array<string | number>;

/** The steps to an expression that gives nothing. Trap: its default may be the least careful value, and a row without one may leave out on purpose. */
function lostValue(
	context: Expressions,
	collection: string,
	fields: Entries,
	{ values, nothing }: Values,
): Steps | undefined {
	const written = context.getNodeParameter(collection, 0, {}, { rawExpressions: true }) as IDataObject;
	// A field that is not there is not heard. As a text that may be empty it says so; commas between such fields do not.
	const isLost = ([name, ...within]: Steps) =>
		within.length > 0 || fields[name].default !== '' || !isEmpty(values[name]);
	const unheard = Object.keys(values)
		.map((name) => emptyExpression(written[name], values[name], [name]))
		.filter((steps) => steps !== undefined && isLost(steps));
	// Only Schools has words of its own.
	return [...nothing, ...unheard].find((steps) => steps !== undefined && steps[0] !== 'onlySchools');
}

/** The steps to the first expression within a parameter whose value is empty. */
function emptyExpression(written: unknown, value: unknown, steps: Steps): Steps | undefined {
	if (typeof written === 'string')
		return written.startsWith('=') && written.includes('{{') && holdsNothing(value) ? steps : undefined;
	if (typeof written !== 'object' || written === null) return undefined;
	if ('__rl' in written && 'value' in written) return emptyExpression(written.value, value, steps);
	for (const [step, member] of Object.entries(written)) {
		const place = Array.isArray(written) ? Number(step) : step;
		const found = emptyExpression(member, (value as IDataObject | undefined)?.[step], [...steps, place]);
		if (found !== undefined) return found;
	}
	return undefined;
}

const expressionGivesNothing = (place: string, panel: string): Failure =>
	inputFailure({
		message: `The expression in ${place} gives nothing`,
		next: `Let it give a value, or change it under ${panel} in this node. Nothing was read, and nothing was sent.`,
	});

type Entries = Readonly<Record<string, INodeProperties>>;

function panelEntries({ options: entries = [] }: INodeProperties): Entries {
	const properties = entries.filter((entry): entry is INodeProperties => 'type' in entry);
	return Object.fromEntries(properties.map((entry) => [entry.name, entry]));
}

function check(entries: Entries, values: Readonly<Record<string, unknown>>) {
	const shape: Record<string, z.ZodMiniType> = {};
	const filled: Record<string, unknown> = {};
	for (const [name, entry] of Object.entries(entries)) {
		shape[name] = checkOf(entry);
		const value = isEmpty(values[name]) ? entry.default : values[name];
		if (!isEmpty(value)) filled[name] = value;
	}
	return z.object(shape).safeParse(filled);
}

/** Why options that will do by themselves will not do together. */
function contradictionIn(
	context: Expressions,
	settings: Partial<NightSettings & MappingSettings>,
): Failure | undefined {
	const { onlySchools, existing, existsStatuses, confirmation, confirmationQuery } = settings;
	if (existing === 'adopt' && existsStatuses?.length === 0) return ADOPT_WITHOUT_STATUSES;
	if (settings.documentType && settings.documentFrom === '') return DOCUMENT_WITHOUT_COLUMN;
	const contradiction = confirmation === 'callback' ? contradictionInQuery(confirmationQuery) : undefined;
	if (contradiction !== undefined) return contradiction;
	if (settings.userIdsUniqueWithin === 'network' && onlySchools !== undefined && onlySchools.length > 0)
		return SCHOOLS_OF_NETWORK;
	if (onlySchools?.length !== 0) return undefined;
	// Filled in, it may name none: an expression that comes to an empty text or list, a comma. Left empty, it means all.
	const written = context.getNodeParameter('options', 0, {}, { rawExpressions: true }) as IDataObject;
	return (written.onlySchools ?? '') === '' ? undefined : NO_SCHOOLS;
}

const NO_SCHOOLS = inputFailure({
	message: 'Only Schools names no school, and without it all schools would be planned',
	next: 'Correct it, or take the option out. Nothing was read, and nothing was sent.',
});

/** Trap: the one record of such a user names the main school. Where that is left out, the user would seem to have left, or be created a second time later. */
const SCHOOLS_OF_NETWORK = inputFailure({
	message: 'Only Schools is filled in, and User IDs Unique Within is set to Network',
	next: 'Who is one user in several schools cannot be planned for some of them alone. Take Only Schools out, and give this node a roster of these schools alone; or, before the first night, set User IDs Unique Within to School. Nothing was read, and nothing was sent.',
});

/** Trap: everybody would be created without the document, and the service has no update. */
const DOCUMENT_WITHOUT_COLUMN = inputFailure({
	message: `Document From ${DOCUMENT_FROM_ERROR}`,
	next: 'Change it under Mapping in this node, or take Document Type out. Nothing was read, and nothing was sent.',
});

const ADOPT_WITHOUT_STATUSES = inputFailure({
	code: 'adoptWithoutStatuses',
	message: 'Existing Records is set to Adopt, and Statuses That Mean It Exists is empty',
	next: 'Name the statuses with which your service refuses what exists already, for example 409. Without them, what is sent again could be created twice. Nothing was read, and nothing was sent.',
});

/** "Batch Size", or "Row 2 of Grades: Grade Code". */
function placeOfSetting(entries: Entries, [name, , row, member]: readonly PropertyKey[]): string {
	const entry = entries[String(name)];
	if (typeof row !== 'number') return entry.displayName;
	const [group] = entry.options ?? [];
	const members = group !== undefined && 'values' in group ? group.values : [];
	const label = members.find((one) => one.name === member)?.displayName;
	return `Row ${row + 1} of ${entry.displayName}${label === undefined ? '' : `: ${label}`}`;
}
