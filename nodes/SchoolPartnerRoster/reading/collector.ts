/** Where records come together, whatever they were read from: each id once, each body as the service's document wants it. */
import { bond, classCreation, userCreation } from '../../shared/contract/provisioning';
import { keyOf, needsOf, type UserKeys } from '../ledger/key';
import {
	fieldRefused,
	findingTypes,
	idTwice,
	responsibleTwice,
	rowsDiffer,
	type FindingType,
} from '../roster/finding';
import type { Findings } from '../roster/findings';
import { isTooLong, LONGEST_ID } from '../roster/madeId';
import { displayNameOf, type Fields, type Kind, type RosterRecord } from '../roster/record';
import type { Completeness, Roster, UnmappedGrade } from '../roster/roster';
import type { Turns } from '../roster/turns';

import { isQuantity, isRounded, mentionedFields, namesNothing, SHEET_ERROR } from './mention';
import { schoolErrors } from './schools';
import {
	areTwo,
	dropWhatSaysNothing,
	fieldsThatDiffer,
	filledFrom,
	isDocument,
	unitedLists,
} from './sameRecord';

/** What is sent for each kind: the bodies of Class: Create, User: Create and Bond: Create. Checked and normalised here, once for reading and planning. */
export const BODIES = { class: classCreation, user: userCreation, bond };

/** Trap: a list may have a row for each guardian of a student, and none can be added later. */
const LINKS = 'responsible_external_id';

const IDS = ['school_external_id', 'external_id', 'class_external_id', 'user_external_id'] as const;

interface FieldIssue {
	code: string;
	field: string;
	why: string;
}

/** What a person can do about a field that is refused, or all that is said of it: depends on where it came from. */
export type Advice = (
	kind: Kind,
	field: string,
	why: { code: string; fields: Fields },
) => string | FindingType;

export class Collector {
	private readonly kept: Array<RosterRecord | undefined> = [];
	/** Where the record of a key is in `kept`. */
	private readonly places = new Map<string, number>();
	private readonly faulty: RosterRecord[] = [];
	private readonly unmappedGrades = new Map<string, UnmappedGrade>();
	private readonly departed = new Map<string, RosterRecord>();
	/** Keys that stand for different ones. */
	private readonly ambiguous = new Set<string>();
	/** Kinds of which a row cannot be told, or a record came without its id and without its school: it may be about anything of the kind. */
	readonly incompleteKinds = new Set<Kind>();

	/** @param isOfFiles in files one user may have a row for each role; in a sheet that is one code for two people */
	constructor(
		private readonly findings: Findings,
		private readonly userKeys: UserKeys,
		private readonly advice: Advice,
		private readonly isOfFiles = false,
	) {}

	/** A record that should be there. */
	add(record: RosterRecord): void {
		const key = this.keyOf(record);
		const place = key === undefined ? undefined : this.places.get(key);
		if (key === undefined || place === undefined) {
			if (key !== undefined) this.places.set(key, this.kept.length);
			this.kept.push(own(record));
			return;
		}
		const before = this.kept[place];
		if (before === undefined || areTwo(before, record)) {
			// One of them is wrong, and nobody can say which.
			if (before !== undefined) this.refuseAmbiguous(before);
			this.kept[place] = undefined;
			return this.refuseAmbiguous(record);
		}
		this.merge(before, record);
	}

	private merge(before: RosterRecord, record: RosterRecord): void {
		const { kind, fields } = record;
		const isUnited = (name: string) => name === LINKS || (name === 'profiles' && this.isOfFiles);
		const differing = fieldsThatDiffer(before.fields, fields);
		const told = differing.filter((name) => !isUnited(name));
		if (told.length > 0) this.report(record, rowsDiffer(kind, told));
		const lists = differing.filter(isUnited).map((name) => [name, unitedLists(name, before.fields, fields)]);
		before.fields = { ...filledFrom(before.fields, fields), ...Object.fromEntries(lists) };
	}

	/** A record whose id stands for different ones: nothing that names it can be told. */
	refuseAmbiguous(record: RosterRecord): void {
		const key = this.keyOf(record);
		if (key !== undefined) this.ambiguous.add(key);
		this.refuse(record, idTwice(record.kind));
	}

	/** A class is left out since nobody has said what its grade is in the service. */
	lacksGrade(code: string, school: string): void {
		this.unmappedGrades.set(JSON.stringify([code, school]), { code, school });
	}

	/** A record that is there and cannot be sent. */
	refuse(record: RosterRecord, type?: FindingType): void {
		const { kind, fields, source } = record;
		if (type !== undefined) this.report(record, type);
		// An org that is no school has nothing in the ledger.
		if (namesNothing(kind, fields) && type !== schoolErrors.orgIsNoSchool) this.incompleteKinds.add(kind);
		this.faulty.push({ kind, fields: mentionedFields(kind, fields), source, name: displayNameOf(fields) });
	}

	/** A record that the roster itself says is gone: a user of a school there, of no school in every one. False: nobody can tell which one it is. */
	leave(record: RosterRecord): boolean {
		const mention = own({ ...record, fields: mentionedFields(record.kind, record.fields) });
		const { external_id: id, school_external_id: school } = mention.fields;
		const key = this.keyOf(mention);
		if (key === undefined && (record.kind !== 'user' || id === undefined)) return false;
		// One in the network may be gone from several schools.
		this.departed.set(JSON.stringify([key ?? id, school]), mention);
		return true;
	}

	/** Something about a record. */
	report(record: RosterRecord, type: FindingType, place = record.source): void {
		this.findings.add({ ...type, kind: record.kind }, place, this.keyOf(record));
	}

	keyOf({ kind, fields }: Pick<RosterRecord, 'kind' | 'fields'>): string | undefined {
		return keyOf(kind, fields, this.userKeys);
	}

	/** The records whose bodies the service's document allows, as they are sent. Call it once, at the end. */
	private async records(turns: Turns): Promise<RosterRecord[]> {
		const sound: RosterRecord[] = [];
		await turns.forEach(this.kept, (record, index) => {
			this.kept[index] = undefined;
			if (record === undefined) return;
			const { kind } = record;
			// Trap: the ledger may know one of those that the id stands for, and nobody can say whether it is meant.
			if (this.isOfAmbiguous(record))
				return this.refuse(record, kind === 'user' ? responsibleTwice : idTwice(kind));
			const body = this.checked(record);
			if (body === undefined) this.refuse(record);
			else sound.push(own({ ...record, fields: body }));
		});
		return sound;
	}

	/**
	 * All that was collected, as a roster. Call it once, at the end.
	 * @param completeness what the export says about each kind; a kind of which something cannot be told is not whole
	 * @param schools those of the export, where it lists them; else those that something is in
	 */
	async roster(completeness: Record<Kind, Completeness>, turns: Turns, schools?: string[]): Promise<Roster> {
		const records = await this.records(turns);
		const of = (kind: Kind) =>
			completeness[kind] === 'whole' && this.incompleteKinds.has(kind) ? 'partial' : completeness[kind];
		return {
			records,
			faulty: this.faulty,
			// Somebody who left and came back has two rows.
			gone: [...this.departed.values()].filter((mention) => {
				const key = this.keyOf(mention);
				return key === undefined || !(this.places.has(key) || this.ambiguous.has(key));
			}),
			completeness: { class: of('class'), user: of('user'), bond: of('bond') },
			schools: schools ?? schoolsOf([...records, ...this.faulty]),
			unmappedGrades: [...this.unmappedGrades.values()],
			findings: this.findings.list(),
			files: [],
		};
	}

	/** A bond of a class or user, or a user of a responsible person, whose id stands for different ones. */
	private isOfAmbiguous({ kind, fields }: RosterRecord): boolean {
		if (this.ambiguous.size === 0) return false;
		return needsOf(kind, fields, this.userKeys).some((key) => this.ambiguous.has(key));
	}

	/** Trap: lists have "none", two addresses or "ask the neighbour" in these columns, and what was created cannot be corrected. */
	private withUsableFields(record: RosterRecord): Fields {
		const { fields } = record;
		const unusable = FORMS.filter(
			([field, isUsable]) => typeof fields[field] === 'string' && !isUsable(fields[field]),
		);
		if (unusable.length === 0) return fields;
		const usable = { ...fields };
		for (const [field] of unusable) {
			this.report(record, contactUnusable(field));
			delete usable[field];
		}
		dropWhatSaysNothing(usable);
		return usable;
	}

	/** The body that is sent; nothing when something in it is refused. */
	private checked(record: RosterRecord): Fields | undefined {
		const { kind, fields, source } = record;
		const { data, error } = BODIES[kind].safeParse(fields);
		const issues: FieldIssue[] = (error?.issues ?? []).map(({ path, message }) => ({
			code: 'fieldRefused',
			field: String(path[0]),
			why: message,
		}));
		addIssues(fields, issues);
		if (data !== undefined && issues.length === 0)
			return this.withUsableFields({ kind, fields: withoutUndefined(data), source });
		for (const { code, field, why } of issues) {
			const advice = this.advice(kind, field, { code, fields });
			const isFinding = typeof advice !== 'string';
			this.report(record, isFinding ? advice : fieldRefused(kind, code, field, why, advice));
		}
		return undefined;
	}
}

/** What is kept of a record. Trap: what few of a hundred thousand have is not there for the others. */
const own = ({ kind, fields, source }: RosterRecord): RosterRecord => ({ kind, fields, source });

const { contactUnusable } = findingTypes('warning', 'user', {
	contactUnusable: (field: string) => ({
		message: `User: ${field} is left out: an e-mail address has one "@", a phone number 2 to 15 digits and no letters; no number is one digit again and again, and nothing has invisible characters or ".0" at its end`,
		fields: [field],
		what_to_do:
			'Correct it where the roster comes from, before the person is created: the service has no update. Where there is none, leave it empty.',
	}),
});

/** Everything else about an e-mail address, a mobile number and a document is the service's to judge. Trap: a form that can match in two ways takes minutes for a cell of megabytes. */
const FORMS: ReadonlyArray<[field: string, isUsable: (text: string) => boolean]> = [
	['email', (text) => /^[^\s@\p{Cf}]+@[^\s@\p{Cf}]+$/u.test(text)],
	['cell_phone', isPhone],
	['document_value', (text) => isDocument(text) && !SHEET_ERROR.test(text)],
];

/** E.164 allows 15 digits: more are two numbers in one cell. Trap: zeros stand in the place of a number, and ".0" behind a quantity. */
function isPhone(text: string): boolean {
	const digits = text.replaceAll(/\P{Nd}/gu, '');
	return /^[^\p{L}\p{Cf}]*$/u.test(text) && /^(.)(?!\1*$).{1,14}$/.test(digits) && !text.endsWith('.0');
}

function schoolsOf(mentions: readonly RosterRecord[]): string[] {
	const schools = new Set(mentions.map(({ fields }) => fields.school_external_id));
	return [...schools].filter((school) => typeof school === 'string');
}

/** What the contract allows, and the service or its users would regret: what was created cannot be corrected any more. */
function addIssues(fields: Fields, issues: FieldIssue[]): void {
	for (const field of IDS) {
		const id = fields[field];
		if (typeof id === 'string' && isTooLong(id))
			issues.push({ code: 'idTooLong', field, why: `must be at most ${LONGEST_ID} characters long` });
	}
	for (const field of [...IDS, 'document_value'])
		if (isRounded(fields[field]))
			issues.push({ code: 'idRounded', field, why: 'has lost digits: a sheet took it for a large number' });
	for (const field in fields) {
		if (!holds(fields[field], ANY_SPOILT)) continue;
		for (const { code, pattern, why } of SPOILT) {
			// A person without a phone is better than none.
			if (pattern === SHEET_ERROR && FORMS.some(([contact]) => contact === field)) continue;
			const isSaid = issues.some((issue) => issue.code === code && issue.field === field);
			if (!isSaid && holds(fields[field], pattern)) issues.push({ code, field, why });
		}
	}
	addDocumentIssues(fields, issues);
}

function addDocumentIssues(fields: Fields, issues: FieldIssue[]): void {
	if (isQuantity(fields.document_value)) {
		const why = 'ends in ".0": a sheet took it for a quantity';
		issues.push({ code: 'idRounded', field: 'document_value', why });
	}
	if (hasLostZeros(fields)) {
		const why = `has fewer than the ${CPF_DIGITS} digits of a CPF: a sheet has dropped the zeros in front`;
		issues.push({ code: 'zerosLost', field: 'document_value', why });
	}
}

function holds(value: Fields[string], pattern: RegExp): boolean {
	if (typeof value === 'string') return pattern.test(value);
	return Array.isArray(value) && value.some((text: string) => pattern.test(text));
}

/** One look at each text instead of three: hardly any is spoilt. */
const ANY_SPOILT = /^[=#]|[\p{Surrogate}\0\x80-\x9F\uFFFD]/u;

/** What no text may be. */
const SPOILT = [
	{ code: 'formula', pattern: /^=/, why: 'is a formula: a spreadsheet that opens it would run it' },
	{
		code: 'formula',
		pattern: SHEET_ERROR,
		why: 'is what a spreadsheet shows where a formula has failed',
	},
	{
		// Trap: half of a character cannot be written as UTF-8, so that a ledger would give back another id than was put into it; a NUL no database takes.
		code: 'fieldRefused',
		pattern: /[\p{Surrogate}\0]/u,
		why: 'must be whole characters, but holds one half of a character or a NUL',
	},
	{
		// What a reader puts in the place of bytes that are no UTF-8, what windows-1252 does not have, and what is left of an accent that was encoded twice.
		code: 'charactersLost',
		pattern: /[\uFFFD\x80-\x9F]/,
		why: 'has lost characters: it was read in another encoding than it was written in',
	},
];

export const CPF_DIGITS = 11;

/** A number of a CPF that a sheet took for a quantity. Of other types nobody knows how many digits they have. */
function hasLostZeros({ document_type: type, document_value: value }: Fields): boolean {
	if (!/cpf/i.test(String(type)) || !isDocument(String(value)) || isQuantity(value)) return false;
	const digits = String(value).replace(/[.\s-]/g, '');
	return /^\d+$/.test(digits) && digits.length < CPF_DIGITS;
}

function withoutUndefined(body: Record<string, Fields[string] | undefined>): Fields {
	for (const field in body) if (body[field] === undefined) delete body[field];
	return body as Fields;
}
