/** A first load that is interrupted, and what a person does until everything is there. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { getExecution } from '../../../playground/n8n-client.mts';
import { startSandbox, type Sandbox } from '../../../sandbox/start.mts';
import { Api } from '../../sandbox/support.mts';
import { Gate, type Place } from '../../support/gate.mts';
import { heldBy, networkOf } from '../../support/held.mts';
import { LastingN8n } from '../../support/lasting-n8n.mts';

import { APPLY, doublesIn, keysByState, NightlyExample, PLAN, type Night, type Wiring } from './example.mts';

/** Creations in a batch. */
export const BATCH = 25;

/** A service that is far away, and does the work of every second request long before it answers: an end lands in the middle. */
export const FAR = { latencyMs: 60 };
const ANSWERS_LATE = [
	{ pathPattern: '^/integration', every: 2 },
	{ afterwards: true, delayMs: 90 },
] as const;

/** What was there when n8n ended. */
export interface Cut {
	/** Writing requests that had come. */
	requests: number;
	rows: number;
	/** Status that n8n gives the execution when it is back; '' where it does not know it. */
	status: string;
	/** Records that the plan after it says are uncertain, because of this end and those before it. */
	uncertain: number;
}

const WRITES = '/integration';

/** Keys of what should not be so. */
export interface Wrongs {
	twice: string[];
	doneAndNotThere: string[];
	/** Not there, and not told either. */
	lost: string[];
}

/** Behind the plan, before its rows are written. */
export const BEFORE_ROWS_OF_PLAN: Place = { node: PLAN, output: 1 };
/** Behind the requests of a batch, before its rows are written. */
export const BEFORE_ROWS_OF_BATCH: Place = { node: APPLY, output: 0 };

/** What nights stand on. */
export interface Ground {
	n8n: LastingN8n;
	sandbox: Sandbox;
	/** Keys of all that the roster of the sandbox has. */
	wanted: readonly string[];
}

/**
 * For the tests of a file: a small school, in a service that takes doubles, so that what is sent twice stands there twice.
 * @param far how far away it is
 */
export function useGround(far: Partial<typeof FAR> = {}): Ground {
	const ground = {} as Ground;
	beforeAll(async () => {
		ground.sandbox = await startSandbox({ students: 40, empty: true, duplicates: 'double', ...far });
		ground.n8n = await LastingN8n.start();
		ground.wanted = await networkOf(ground.sandbox.admin);
	});
	afterAll(async () => {
		await ground.n8n?.end();
		await ground.sandbox?.stop();
	});
	return ground;
}

export class FirstLoad {
	readonly cuts: Cut[] = [];

	/** Nights until nothing was left that could be done by itself. */
	nights = 0;

	wrongs: Wrongs | undefined;

	/** Id of the execution that was begun last. */
	running = '';

	private constructor(
		private readonly ground: Ground,
		readonly example: NightlyExample,
		private readonly onward: INodeParameters,
		readonly gate: Gate | undefined,
	) {}

	/**
	 * @param onward options of the nights after the first
	 * @param stopAt where runs can be held
	 */
	static async open(ground: Ground, onward: INodeParameters, stopAt?: Place): Promise<FirstLoad> {
		const { n8n, sandbox } = ground;
		await sandbox.admin.reset();
		await sandbox.admin.addFault(...ANSWERS_LATE);
		const gate = stopAt && (await Gate.open());
		const wiring: Wiring | undefined = gate && ((workflow) => gate.before(workflow, stopAt));
		const example = await NightlyExample.open(n8n, sandbox, { wiring, batchSize: BATCH });
		return new FirstLoad(ground, example, { unfinishedAfter: 0, ...onward }, gate);
	}

	/** Begins the next night. */
	async begin(): Promise<void> {
		this.nights += 1;
		this.running = await this.example.begin(this.onward);
	}

	async end(): Promise<Night> {
		return await this.example.endOf(this.running);
	}

	async writes(): Promise<number> {
		return await this.ground.sandbox.admin.countRequests({ path: WRITES });
	}

	/** Called when n8n is back: what the end has left. */
	async lookAt(): Promise<Cut> {
		const rows = (await this.example.ledger()).length;
		const { status } = await getExecution(this.ground.n8n.session, this.running);
		const { findings } = rows === 0 ? { findings: [] } : await this.example.planned(this.onward);
		const cut = { requests: await this.writes(), rows, status, uncertain: uncertainIn(findings) };
		this.cuts.push(cut);
		return cut;
	}

	/** Runs the workflow again until a night does nothing more. */
	async goOn(): Promise<Night> {
		for (let done = -1; ; ) {
			await this.begin();
			const night = await this.end();
			expect(night.said).toBe('');
			// What an interrupted run had planned is not new, and is not held.
			expect(night.held).toEqual([]);
			const { applied = [] } = keysByState(await this.example.ledger());
			if (applied.length === done || night.changes.length === 0) return night;
			done = applied.length;
		}
	}

	/**
	 * Runs the workflow until nothing is left that it can do, and looks whether all is as it should be: nothing is there twice, what the ledger has
	 * as done is there, what is not there is told. Then settles what is uncertain.
	 */
	async recover(): Promise<void> {
		await this.goOn();
		this.wrongs = await this.#wrongs();
		expect(this.wrongs).toEqual({ twice: [], doneAndNotThere: [], lost: [] });
		for (const [times, { uncertain }] of this.cuts.entries())
			expect(uncertain).toBeLessThanOrEqual((times + 1) * BATCH);
		if (this.onward.uncertainCreations !== 'sendAgain') await this.settleByHand();
	}

	/** What a person does with what is uncertain where a service takes doubles: looks it up, creates what is not there, and says that it is there. */
	async settleByHand(): Promise<void> {
		const { changes } = await this.example.planned({ ...this.onward, uncertainCreations: 'sendAgain' });
		const there = new Set(await heldBy(this.ground.sandbox.admin));
		const api = await Api.open(this.ground.sandbox);
		for (const { kind, send } of changes.filter(
			({ key, why }) => String(why).startsWith('uncertain') && !there.has(String(key)),
		)) {
			const path = kind === 'bond' ? 'bond-user-class' : String(kind);
			expect((await api.post(`/integration/partner/v1/${path}`, send)).status).toBe(200);
		}
		const { said, held } = await this.example.night({
			...this.onward,
			takeAsDone: 'uncertain',
			holdCreationsPercent: 100,
		});
		expect([said, held]).toEqual(['', []]);
	}

	async #wrongs(): Promise<Wrongs> {
		const held = await heldBy(this.ground.sandbox.admin);
		const there = new Set(held);
		const { applied = [] } = keysByState(await this.example.ledger());
		const { changes } = await this.example.planned({ ...this.onward, uncertainCreations: 'sendAgain' });
		const known = new Set(changes.map(({ key }) => String(key)));
		return {
			twice: doublesIn(held),
			doneAndNotThere: applied.filter((key) => !there.has(key)),
			lost: this.ground.wanted.filter((key) => !there.has(key) && !known.has(key)),
		};
	}

	/** Everything is there once, the ledger knows it, and one night more sends nothing. */
	async expectComplete(): Promise<void> {
		const last = await this.goOn();
		expect(await heldBy(this.ground.sandbox.admin)).toEqual(this.ground.wanted);
		expect([last.changes, uncertainIn(last.findings)]).toEqual([[], 0]);
		expect(Object.keys(keysByState(await this.example.ledger()))).toEqual(['applied']);
		await this.ground.sandbox.admin.clearRequests();
		const more = await this.example.night();
		expect([more.said, more.held, more.changes]).toEqual(['', [], []]);
		expect(await this.writes()).toBe(0);
	}

	async close(): Promise<void> {
		await this.gate?.close();
	}
}

/** How many records a plan says are uncertain. */
export function uncertainIn(findings: readonly IDataObject[]): number {
	return findings.reduce((sum, { code, count }) => sum + (code === 'uncertain' ? Number(count) : 0), 0);
}
