/** A year of nights: a network lives, its system exports it with mistakes, the roster runs, and a person looks at what is held in the morning. */
import { readFiles } from '../../nodes/SchoolPartnerRoster/reading/readFiles.ts';
import type { Roster } from '../../nodes/SchoolPartnerRoster/roster/roster.ts';
import { Nights, type Ended } from '../unit/roster/night.mts';

import { DAY, FIRST_DAY, isoDay } from './calendar.mts';
import { DISASTERS } from './disasters.mts';
import { exportOf, filesOf, mappingOn, type Export } from './exported.mts';
import { Network, type Customs } from './network.mts';
import { brokenPromises, settledPromises } from './promises.mts';
import { Chance } from './random.mts';
import { RememberingService } from './service.mts';
import { SLIPS } from './slips.mts';
import { truthOf } from './truth.mts';

/** The wall clock of a simulated process at the time 0. */
const CLOCK_BEGINS = 1_800_000_000_000;

/** So many nights without a mistake at the end, after which everything must be as it is in the network. */
const CALM_NIGHTS = 10;

export interface YearInput {
	seed: number;
	nights: number;
	/** Shares of the nights. */
	slips: number;
	disasters: number;
}

/** What a year was like. */
export interface Year {
	/** Each broken promise, with the night: none is right. */
	broken: string[];
	/** Nights with a disaster, and its name. */
	disasters: string[];
	slips: string[];
	/** What was held without a disaster: a new year, or a false alarm. */
	newYears: string[];
	falseAlarms: string[];
	nights: number;
	requests: number;
	tookMs: number;
}

function customsOf(chance: Chance): Customs {
	const [schools, grades] = [chance.between(1, 4), chance.between(2, 5)];
	return {
		...{
			schools,
			grades,
			pupilsInClass: chance.between(8, Math.max(10, Math.floor(260 / (schools * grades)))),
		},
		idsAre: chance.of(['numbers', 'letters'] as const),
		...{ enrolsEarly: chance.isTrue(0.3), keepsOldClasses: chance.isTrue(0.3) },
	};
}

class NightlyExports {
	private readonly kept: Export[] = [];

	/** What an export of some nights has in common: a mistake stays until somebody mends it. */
	private disaster: { name: string; nights: number } | undefined;

	constructor(
		private readonly chance: Chance,
		private readonly input: YearInput,
	) {}

	/** Tonight's, and what is wrong with it. */
	of(network: Network, mayErr: boolean): { export: Export; slip?: string; disaster?: string } {
		const right = exportOf(network);
		this.kept.push(structuredClone(right));
		if (!mayErr) return { export: right };
		const ruined = this.ruined(right);
		if (ruined !== undefined) return ruined;
		if (!this.chance.isTrue(this.input.slips)) return { export: right };
		const slip = this.chance.of(Object.keys(SLIPS));
		if (right.classes.length === 0 || right.enrollments.length === 0) return { export: right };
		SLIPS[slip](right, this.chance);
		return { export: right, slip };
	}

	private ruined(tonight: Export): { export: Export; disaster: string } | undefined {
		const { chance, input } = this;
		if (this.disaster === undefined && chance.isTrue(input.disasters) && tonight.enrollments.length > 0)
			this.disaster = { name: chance.of(Object.keys(DISASTERS)), nights: chance.between(1, 3) };
		if (this.disaster === undefined) return undefined;
		const { name } = this.disaster;
		const ruined = DISASTERS[name]({ tonight, earlier: this.kept.slice(0, -1), chance });
		if (ruined === undefined || --this.disaster.nights === 0) this.disaster = undefined;
		return ruined && { export: ruined, disaster: name };
	}
}

export async function liveYear(input: YearInput): Promise<Year> {
	const began = performance.now();
	const chance = new Chance(input.seed);
	const service = new RememberingService('accepts');
	const nights = new Nights(service);
	nights.time.now = FIRST_DAY + 2 * 3_600_000 - CLOCK_BEGINS;
	const network = new Network(customsOf(chance), chance, FIRST_DAY);
	const exports = new NightlyExports(chance, input);
	const year: Year = {
		broken: [],
		disasters: [],
		slips: [],
		newYears: [],
		falseAlarms: [],
		nights: input.nights,
		requests: 0,
		tookMs: 0,
	};
	for (let night = 0; night < input.nights; night++) {
		const now = CLOCK_BEGINS + nights.time.now;
		if (night > 0) network.live(now);
		const isCalm = night >= input.nights - CALM_NIGHTS;
		const tonight = exports.of(network, night > 5 && !isCalm);
		const at = `night ${night}, ${isoDay(now)}${tonight.disaster ? `, ${tonight.disaster}` : ''}${tonight.slip ? `, ${tonight.slip}` : ''}`;
		if (tonight.disaster !== undefined) year.disasters.push(at);
		if (tonight.slip !== undefined) year.slips.push(at);
		const roster = await rosterOf(tonight.export, now, network.customs.grades);
		const truth = truthOf(network);
		service.accepted = [];
		const ended = roster && (await nights.sync(roster));
		year.requests += service.accepted.length;
		const broken = brokenPromises({
			service,
			truth,
			ended,
			isRight: tonight.slip === undefined && tonight.disaster === undefined,
		});
		year.broken.push(...broken.map((one) => `${at}: ${one}`));
		if (ended !== undefined && tonight.disaster === undefined) {
			if (night > 0) noteHolds(year, ended, at);
			await nights.approveAll(ended);
		}
		if (night === input.nights - 1)
			year.broken.push(
				...settledPromises({ service, truth, ledger: await nights.ledger() }).map(
					(one) => `at the end: ${one}`,
				),
			);
		const passed = CLOCK_BEGINS + nights.time.now - now;
		nights.time.now += DAY - passed;
	}
	year.tookMs = performance.now() - began;
	return year;
}

function noteHolds(year: Year, { plan: { holds } }: Ended, at: string): void {
	for (const { reason } of holds) {
		const isNewYear = /school year/.test(reason);
		(isNewYear ? year.newYears : year.falseAlarms).push(`${at}: ${reason}`);
	}
}

/** As the reader gives it; nothing when the export cannot be believed, which stops the run. */
async function rosterOf(all: Export, now: number, grades: number): Promise<Roster | undefined> {
	const host = { pause: async () => {}, clock: () => now };
	const read = await readFiles(filesOf(all), mappingOn(now, grades), 'automatic', host);
	return read.ok && read.value.records.length > 0 ? read.value : undefined;
}
