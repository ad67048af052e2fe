/** Which school year classes and bonds are of: which is coming in a school, and which is over. */
import { detailOf, type RecordDetail } from '../ledger/detail';
import { classOfBond } from '../ledger/key';

import type { PlanContext } from './context';
import type { DesiredState } from './desired';

/** While a school has fewer than this part of the bonds that it had in the year before, the year is still coming. */
const ARRIVED = 1 / 2;
/** A year of which no more than this part of the bonds is left in the export is over. */
const LEFT = 1 / 10;

/** Trap: a class of a year beyond that is a mistake, and would hide every new year from then on. */
const YEARS_AHEAD = 1;

export interface SchoolYears {
	/** Of a class, or of a bond's class; undefined where it is not known. */
	ofKey(key: string): string | undefined;
	/** By school: the latest year of its classes in the export, when the school was there in an earlier one, and most of its bonds are still to come. */
	coming: ReadonlyMap<string, string>;
	/** By school: the latest year of its classes in the export. */
	latest: ReadonlyMap<string, string>;
	/** Whether the export has hardly any of the bonds that the school has of that year. */
	isOver(school: string, year: string): boolean;
}

export async function schoolYears(
	{ records }: DesiredState,
	{ ledger, asOf, turns }: PlanContext,
): Promise<SchoolYears> {
	const lastYear = String(Number(asOf.slice(0, 4)) + YEARS_AHEAD);
	const [years, latest] = [new Map<string, string>(), new Map<string, string>()];
	for await (const slice of turns.slices(ledger.entries.values()))
		for (const { kind, key, row } of slice) {
			const year = kind === 'class' ? detailOf<RecordDetail>(row).year : undefined;
			if (year !== undefined) years.set(key, year);
		}
	for await (const slice of turns.slices(records.values()))
		for (const { kind, key, school, record } of slice) {
			if (kind !== 'class' || record.fields.year === undefined) continue;
			// What the ledger has is what the service has.
			const year = years.get(key) ?? String(record.fields.year);
			years.set(key, year);
			if (year <= lastYear && year > (latest.get(school) ?? '')) latest.set(school, year);
		}
	const ofKey = (key: string) => years.get(key.startsWith('b:') ? classOfBond(key) : key);
	const counts = new BondsOfYears();
	for await (const slice of turns.slices(ledger.entries.values()))
		for (const { kind, key, school, there } of slice) {
			if (kind === 'bond') counts.add(school, ofKey(key), there === 'yes', records.has(key));
		}
	const coming = [...latest].filter(([school, year]) => counts.isComing(school, year));
	return { ofKey, latest, coming: new Map(coming), isOver: (school, year) => counts.isOver(school, year) };
}

/** Bonds of one school and year. */
interface YearCount {
	/** All that ever were there. */
	ever: number;
	there: number;
	/** Those of them that the export has tonight. */
	inExport: number;
}

class BondsOfYears {
	private readonly bySchool = new Map<string, Map<string, YearCount>>();

	add(school: string, year: string | undefined, isThere: boolean, isInExport: boolean): void {
		if (year === undefined) return;
		const years = this.bySchool.get(school) ?? new Map<string, YearCount>();
		const count = years.get(year) ?? { ever: 0, there: 0, inExport: 0 };
		count.ever += 1;
		if (isThere) count.there += 1;
		if (isThere && isInExport) count.inExport += 1;
		this.bySchool.set(school, years.set(year, count));
	}

	isComing(school: string, year: string): boolean {
		const years = [...(this.bySchool.get(school) ?? [])];
		const before = Math.max(0, ...years.map(([one, { ever }]) => (one < year ? ever : 0)));
		return before > 0 && this.of(school, year).there < before * ARRIVED;
	}

	isOver(school: string, year: string): boolean {
		const { there, inExport } = this.of(school, year);
		return inExport <= there * LEFT;
	}

	private of(school: string, year: string): YearCount {
		return this.bySchool.get(school)?.get(year) ?? { ever: 0, there: 0, inExport: 0 };
	}
}
