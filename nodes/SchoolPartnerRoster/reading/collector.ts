/** Where records come together, whatever they were read from: each id once, each body as the service's document wants it. */
import { sizeOf } from '../../shared/contract/blocks';
import { bond, classCreation, userCreation } from '../../shared/contract/provisioning';
import { keyOf, needsOf, type UserKeys } from '../ledger/key';
import type { Fields, Kind, Mention, Place, RosterRecord } from '../roster/record';
import type { Completeness, Roster } from '../roster/roster';

import { idTwice, refused, sameTwice } from '../roster/causes';
import type { Cause, Findings } from '../roster/findings';
import type { Turns } from '../roster/turns';

/** What is sent for each kind: the bodies of Class: Create, User: Create and Bond: Create. Checked and normalised here, once for reading and planning. */
const BODIES = { class: classCreation, user: userCreation, bond };

/** `external_id` of schools, classes and users, in the tables of the service's document. */
const LONGEST_ID = 50;
const IDS = ['school_external_id', 'external_id', 'class_external_id', 'user_external_id'] as const;

/** What a person can do about a field that is refused, or all that is said of it: depends on where it came from. */
export type Advice = (kind: Kind, field: string, why: { code: string; fields: Fields }) => string | Cause;

export class Collector {
	private readonly kept: Array<RosterRecord | undefined> = [];
	/** Where the record of a key is in `kept`. */
	private readonly places = new Map<string, number>();
	readonly faulty: Mention[] = [];
	private readonly departed = new Map<string, Mention>();
	/** Keys that stand for different ones. */
	private readonly doubtful = new Set<string>();
	/** Kinds of which a record came without an id: nobody can say what it was about. */
	readonly untold = new Set<Kind>();

	/**
	 * @param repeats whether the same record again says something: in files it does, in rows of a sheet a student stands once per class
	 */
	constructor(
		private readonly findings: Findings,
		private readonly userKeys: UserKeys,
		private readonly advice: Advice,
		private readonly repeats: 'warn' | 'quiet' = 'warn',
	) {}

	/** A record that should be there. */
	add(kind: Kind, fields: Fields, source: Place): void {
		const key = keyOf(kind, fields, this.userKeys);
		const place = key === undefined ? undefined : this.places.get(key);
		if (place === undefined) {
			if (key === undefined) this.untold.add(kind);
			else this.places.set(key, this.kept.length);
			this.kept.push({ kind, fields, source });
			return;
		}
		const before = this.kept[place];
		if (before !== undefined && isSame(before.fields, fields)) {
			if (this.repeats === 'warn') this.findings.add(sameTwice(kind), source, key);
			return;
		}
		// One of them is wrong, and nobody can say which.
		if (before !== undefined) this.refuse(kind, before.fields, before.source, idTwice(kind));
		this.kept[place] = undefined;
		this.doubtful.add(key as string);
		this.refuse(kind, fields, source, idTwice(kind));
	}

	/** A record that is there and cannot be sent. Of its fields only the ids are kept. */
	refuse(kind: Kind, fields: Fields, source: Place, cause?: Cause): void {
		if (cause !== undefined) this.findings.add(cause, source, keyOf(kind, fields, this.userKeys));
		this.faulty.push({ kind, fields: idsOf(kind, fields), source });
	}

	/** A record that the roster itself says is gone. */
	leave(kind: Kind, fields: Fields, source: Place): void {
		const key = keyOf(kind, fields, this.userKeys);
		if (key !== undefined) this.departed.set(key, { kind, fields: idsOf(kind, fields), source });
	}

	/** What is gone, but for what is there as well: somebody who left and came back has two rows. */
	gone(): Mention[] {
		return [...this.departed].filter(([key]) => !this.places.has(key)).map(([, mention]) => mention);
	}

	/** The records whose bodies the service's document allows, as they are sent. Call it once, at the end. */
	async records(turns: Turns): Promise<RosterRecord[]> {
		const sound: RosterRecord[] = [];
		await turns.forEach(this.kept.length, (index) => {
			const record = this.kept[index];
			this.kept[index] = undefined;
			if (record === undefined) return;
			// Trap: the ledger may know one of those that the id stands for, and nobody can say whether it is meant.
			if (this.isOfDoubtful(record))
				return this.refuse(record.kind, record.fields, record.source, idTwice(record.kind));
			const fields = this.checked(record);
			if (fields === undefined) this.refuse(record.kind, record.fields, record.source);
			else {
				record.fields = fields;
				sound.push(record);
			}
		});
		return sound;
	}

	/** A bond of a class or user whose id stands for different ones. */
	private isOfDoubtful({ kind, fields }: RosterRecord): boolean {
		return (
			kind === 'bond' &&
			this.doubtful.size > 0 &&
			needsOf(kind, fields, this.userKeys).some((key) => this.doubtful.has(key))
		);
	}

	/** The body that is sent; nothing when something in it is refused. */
	private checked({ kind, fields, source }: RosterRecord): Fields | undefined {
		const parsed = BODIES[kind].safeParse(fields);
		if (
			parsed.success &&
			!IDS.some((id) => isTooLong(fields[id])) &&
			!isSpoilt(fields) &&
			!hasLostZeros(fields)
		)
			return withoutUndefined(parsed.data);
		const issues: Array<[string, string, string]> = parsed.success
			? []
			: parsed.error.issues.map(({ path, message }) => ['fieldRefused', String(path[0]), message]);
		for (const id of IDS) {
			if (isTooLong(fields[id]))
				issues.push(['idTooLong', id, `must be at most ${LONGEST_ID} characters long`]);
		}
		for (const [field, value] of Object.entries(fields)) {
			if (isFormula(value))
				issues.push(['formula', field, 'is a formula: a spreadsheet that opens it would run it']);
			if (isBroken(value) && !issues.some(([, refusedField]) => refusedField === field))
				issues.push([
					'fieldRefused',
					field,
					'must be whole characters, but holds one half of a character or a NUL',
				]);
			if (hasLost(value))
				issues.push([
					'charactersLost',
					field,
					'has lost characters: the file is not in UTF-8, and was read as if it were',
				]);
		}
		if (hasLostZeros(fields))
			issues.push([
				'zerosLost',
				'document_value',
				`has fewer than the ${CPF_DIGITS} digits of a CPF: a sheet has dropped the zeros in front`,
			]);
		for (const [code, field, message] of issues) {
			const advice = this.advice(kind, field, { code, fields });
			const cause =
				typeof advice === 'string' ? refused(kind, code, field, message, advice) : { kind, ...advice };
			this.findings.add(cause, source, keyOf(kind, fields, this.userKeys));
		}
		return undefined;
	}
}

function isTooLong(id: Fields[string] | undefined): boolean {
	return typeof id === 'string' && id.length > LONGEST_ID && sizeOf(id) > LONGEST_ID;
}

function isFormula(value: Fields[string]): boolean {
	return typeof value === 'string' ? value.startsWith('=') : Array.isArray(value) && value.some(isFormula);
}

/** What a reader puts in the place of bytes that are no UTF-8. A name that was created with it cannot be corrected any more. */
const REPLACEMENT = '\uFFFD';

function hasLost(value: Fields[string]): boolean {
	return typeof value === 'string'
		? value.includes(REPLACEMENT)
		: Array.isArray(value) && value.some(hasLost);
}

/** Trap: half of a character cannot be written as UTF-8, so that a ledger would give back another id than was put into it; a NUL no database takes. */
function isBroken(value: Fields[string]): boolean {
	return typeof value === 'string'
		? /[\p{Surrogate}\0]/u.test(value)
		: Array.isArray(value) && value.some(isBroken);
}

function isSpoilt(fields: Fields): boolean {
	for (const field in fields)
		if (isFormula(fields[field]) || hasLost(fields[field]) || isBroken(fields[field])) return true;
	return false;
}

const CPF_DIGITS = 11;

/** A number of a CPF that a sheet took for a quantity. Created with it, it cannot be corrected any more. Of other types nobody knows how many digits they have. */
function hasLostZeros({ document_type: type, document_value: value }: Fields): boolean {
	if (!/cpf/i.test(String(type))) return false;
	const digits = String(value).replace(/[.\s-]/g, '');
	return /^\d+$/.test(digits) && digits.length < CPF_DIGITS;
}

function withoutUndefined(body: Record<string, Fields[string] | undefined>): Fields {
	for (const field in body) if (body[field] === undefined) delete body[field];
	return body as Fields;
}

/** Of a record only what tells it from others. */
function idsOf(kind: Kind, fields: Fields): Fields {
	const names = kind === 'bond' ? [IDS[0], IDS[2], IDS[3], 'profile_name'] : [IDS[0], IDS[1]];
	return Object.fromEntries(
		names.filter((name) => (fields[name] ?? '') !== '').map((name) => [name, fields[name]]),
	);
}

function isSame(one: Fields, other: Fields): boolean {
	const names = new Set([...Object.keys(one), ...Object.keys(other)]);
	return [...names].every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}

/** The roster of what was collected, where nothing but the person says whether it is whole. */
export async function rosterOf(
	collector: Collector,
	findings: Findings,
	said: Completeness,
	turns: Turns,
): Promise<Roster> {
	const records = await collector.records(turns);
	const schools = new Set([...records, ...collector.faulty].map(({ fields }) => fields.school_external_id));
	const of = (kind: Kind) => (said === 'whole' && collector.untold.has(kind) ? 'changes' : said);
	return {
		records,
		faulty: collector.faulty,
		gone: collector.gone(),
		completeness: { class: of('class'), user: of('user'), bond: of('bond') },
		schools: [...schools].filter((school): school is string => typeof school === 'string'),
		findings: findings.list(),
		files: [],
	};
}
