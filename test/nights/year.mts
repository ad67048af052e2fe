/** A year of nights: a network lives, its system exports it with mistakes, the roster runs, and a person looks at what is held in the morning. */
import { readFiles } from '../../nodes/SchoolPartnerRoster/reading/readFiles.ts';
import type { Roster } from '../../nodes/SchoolPartnerRoster/roster/roster.ts';
import { Nights, type Ended } from '../unit/roster/night.mts';
import { mappingOf } from '../unit/roster/reading/support.mts';

import { DAY, FIRST_DAY, isoDay } from './calendar.mts';
import { customsOf, rarerCustomsOf, serviceCustomsOf } from './customs.mts';
import { filesOf, mappingOn, type Export } from './exported.mts';
import { settle } from './morning.mts';
import { Network, type Customs, type Person } from './network.mts';
import { NightlyExports, type Shares } from './nightlyExports.mts';
import { brokenPromises, settledPromises } from './promises.mts';
import { Chance } from './random.mts';
import { RememberingService } from './service.mts';
import { idOf, truthOf, userKey, type Truth } from './truth.mts';

/** The wall clock of a simulated process at the time 0. */
const CLOCK_BEGINS = 1_800_000_000_000;

/** The first nights, in which the network is loaded, are without a mistake; and the last, after which all must be as it is in the network. */
const FIRST_NIGHTS = 6;
const LAST_NIGHTS = 10;

/** At the end nobody comes or goes, so that what was told is settled. */
const QUIET_NIGHTS = 5;

export interface YearInput extends Shares {
	seed: number;
	nights: number;
	/** In all schools together, when it begins. */
	mostPupils: number;
}

/** What a year was like: each with its night, in words. */
export class Year {
	/** Promises that were broken: none is right. */
	readonly broken: string[] = [];

	readonly disasters: string[] = [];

	readonly slips: string[] = [];

	/** What was held without a disaster: a new year, or a false alarm. */
	readonly newYears: string[] = [];

	readonly falseAlarms: string[] = [];

	requests = 0;

	tookMs = 0;

	noteHolds({ plan: { holds } }: Ended, at: string): void {
		for (const { reason } of holds) {
			const isOfYear = reason.startsWith('A new school year');
			(isOfYear ? this.newYears : this.falseAlarms).push(`${at}: ${reason}`);
		}
	}
}

class LivedYear {
	private readonly year = new Year();

	private readonly service: RememberingService;

	private readonly nights: Nights;

	private readonly network: Network;

	private readonly exports: NightlyExports;

	private readonly rarer: Chance;

	constructor(private readonly input: YearInput) {
		const chance = new Chance(input.seed);
		// Chances of their own, so that what is rarer leaves a seed its network.
		this.rarer = new Chance(input.seed + 1_000_000);
		const odd = serviceCustomsOf(this.rarer);
		this.service = new RememberingService('accepts', odd, this.rarer);
		this.nights = new Nights(this.service, { confirmation: odd.confirms ? 'callback' : 'answer' });
		this.nights.time.now = FIRST_DAY + 2 * 3_600_000 - CLOCK_BEGINS;
		const customs = { ...customsOf(chance, input.mostPupils), ...rarerCustomsOf(this.rarer) };
		this.network = new Network(customs, chance, FIRST_DAY);
		this.exports = new NightlyExports(chance, input);
	}

	async live(): Promise<Year> {
		const began = performance.now();
		for (let night = 0; night < this.input.nights; night++) await this.pass(night);
		const { service, nights, network } = this;
		const attention = nights.telling?.attention ?? [];
		const last = { service, truth: truthOf(network), ledger: await nights.ledger(), attention };
		this.note(settledPromises(last), 'at the end');
		this.year.tookMs = performance.now() - began;
		return this.year;
	}

	private async pass(night: number): Promise<void> {
		const { nights, network, service, year } = this;
		const now = CLOCK_BEGINS + nights.time.now;
		if (night > 0 && night < this.input.nights - QUIET_NIGHTS) network.live(now);
		const isBetween = night >= FIRST_NIGHTS && night < this.input.nights - LAST_NIGHTS;
		const truth = truthOf(network);
		const lacking = new Set([...truth.users.keys()].filter((key) => !service.there.has(key)).map(idOf));
		const tonight = this.exports.of(network, isBetween, (id) => !lacking.has(id));
		const { slip, disaster } = tonight;
		const at = [`night ${night}`, isoDay(now), disaster ?? slip ?? ''].filter(Boolean).join(', ');
		if (disaster !== undefined) year.disasters.push(at);
		if (slip !== undefined) year.slips.push(at);
		service.accepted = [];
		service.isOdd = isBetween;
		if (night < this.input.nights - QUIET_NIGHTS) this.removeByHand(truth);
		const roster = await rosterOf(tonight.export, now, network.customs);
		const ended = roster && (await nights.sync(roster));
		year.requests += service.accepted.length;
		const isRight = slip === undefined && disaster === undefined;
		this.note(
			brokenPromises({ service, truth, ended, attention: nights.telling?.attention ?? [], isRight }),
			at,
		);
		if (ended !== undefined && disaster === undefined) {
			// Where ids of classes come again without their year, nearly nothing may go any more.
			const isWaiting = nights.attention('anotherYear').length > 0;
			if (night > 0 && !isWaiting) year.noteHolds(ended, at);
			await nights.approveAll(ended);
			if (isRight) await settle({ nights, service, network, truth });
		}
		nights.time.now = now - CLOCK_BEGINS + DAY;
	}

	/** Somebody works in the service by hand: who left, and sometimes the guardians, are gone there, whatever the ledger says. */
	private removeByHand({ users }: Truth): void {
		const { network, service, rarer } = this;
		for (const student of rarer.some(network.departed, 0.05)) {
			const isOfFamily = ({ guardians }: Person) => guardians.some((one) => student.guardians.includes(one));
			const family = [...network.departed.filter(isOfFamily), ...student.guardians];
			for (const { id } of rarer.isTrue(0.5) ? family : [student])
				for (const school of network.schools)
					if (!users.has(userKey(school, id))) service.removeByHand(userKey(school, id));
		}
	}

	private note(broken: readonly string[], at: string): void {
		this.year.broken.push(...broken.map((one) => `${at}: ${one}`));
	}
}

export async function liveYear(input: YearInput): Promise<Year> {
	return await new LivedYear(input).live();
}

/** As the reader gives it; nothing when the export cannot be believed, which stops the run. */
async function rosterOf(
	all: Export,
	now: number,
	{ grades, classIds }: Customs,
): Promise<Roster | undefined> {
	const host = { pause: async () => {}, clock: () => now };
	const mapping = mappingOf(mappingOn(now, grades, classIds));
	const read = await readFiles(filesOf(all), mapping, 'automatic', host);
	return read.ok && read.value.records.length > 0 ? read.value : undefined;
}
