/** What holds for every roster, every ledger and every night. */
import fc from 'fast-check';

import { compact } from '../../../../nodes/SchoolPartnerRoster/ledger/compact.ts';
import { isOutcome, type LedgerRow } from '../../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import { ROWS_WHEN_CUT } from '../../../../nodes/SchoolPartnerRoster/planning/hold.ts';
import type { PlanOptions } from '../../../../nodes/SchoolPartnerRoster/planning/options.ts';
import type { Plan } from '../../../../nodes/SchoolPartnerRoster/planning/plan.ts';
import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { exportOf, records, SCHOOLS } from '../exports.mts';
import { applied, meansAt, night, nightOf, planAt, planned } from '../night.mts';
import { Service } from '../service.mts';
import { aClass, rosterOf } from '../world.mts';

const RUNS = { numRuns: 60 };
const UNHELD: Partial<PlanOptions> = { holdCreationsPercent: 100, holdRemovalsPercent: 100 };

/** Leaves ledgers out that look cut: an interrupted run with so many rows is held, whatever After Interruption says. */
const unlessCut = (...ledgers: Array<readonly unknown[]>) =>
	fc.pre(ledgers.every(({ length }) => length !== ROWS_WHEN_CUT));

const exports = fc.array(records('network'), { minLength: 1, maxLength: 4 });

/** Some nights one after another, without holds; the batches are small. */
async function history(
	nights: readonly RosterRecord[][],
	service: Service,
	options: Partial<PlanOptions> = {},
): Promise<LedgerRow[]> {
	let ledger: LedgerRow[] = [];
	for (const [number, export_] of nights.entries()) {
		({ ledger } = await night(nightOf(number), rosterOf(export_), ledger, service, {
			...UNHELD,
			batchSize: 3,
			firstRun: ledger.length === 0,
			...options,
		}));
	}
	return ledger;
}

/** What a plan says, without its own ids and times. */
function essence({ changes, held, findings, summary }: Plan) {
	const bare = (of: Plan['changes']) => of.map(({ run_id: _run, source: _source, ...change }) => change);
	const { run_id: _run, took_ms: _took, ledger_rows: _rows, ...said } = summary;
	// How many rows were read by chance is no part of what they say.
	return {
		changes: bare(changes),
		held: bare(held),
		findings: findings.filter(({ code }) => code !== 'ledgerFiftyRows'),
		said,
	};
}

/** What a plan does, in no order. */
function deeds({ changes, held }: Plan): string[] {
	return [...changes, ...held]
		.map(({ action, key, hash, held: isHeld }) => JSON.stringify([action, key, hash, isHeld === true]))
		.sort();
}

test('Applying a plan and planning again gives nothing', async () => {
	await fc.assert(
		fc.asyncProperty(exports, fc.integer({ min: 1, max: 3 }), async (nights, removeAfter) => {
			const service = new Service();
			const ledger = await history(nights, service, { removeAfter });
			fc.pre(ledger.length > 0);
			const last = rosterOf(nights[nights.length - 1]);
			const again = await planned(nightOf(9), last, ledger, { removeAfter });
			expect([again.changes, again.ledgerRows, again.held]).toEqual([[], [], []]);
			expect(service.doubles).toBe(0);
		}),
		RUNS,
	);
});

/** User and profile of a bond; school, class and user. */
const placesIn = (name: string) => {
	const [, school, ofClass, user, profile] = JSON.parse(name) as string[];
	return [`${user} ${profile}`, `${school} ${ofClass} ${user} `];
};

test('What the service has is what the exports ask for: no bond more, unless its user lacks another one', async () => {
	await fc.assert(
		fc.asyncProperty(exports, async (nights) => {
			const service = new Service();
			const ledger = await history(nights, service);
			const there = new Set(ledger.length === 0 ? [] : service.all());
			const schools = new Set(nights[nights.length - 1].map(({ fields }) => fields.school_external_id));
			const asked = new Set(
				nights[nights.length - 1]
					.filter(({ kind }) => kind === 'bond')
					.map(({ fields: of }) =>
						JSON.stringify([
							'bond',
							of.school_external_id,
							of.class_external_id,
							of.user_external_id,
							of.profile_name,
						]),
					),
			);
			const waiting = new Set([...asked].filter((name) => !there.has(name)).flatMap(placesIn));
			for (const name of there) {
				const [kind, school] = JSON.parse(name) as [string, string];
				// A school without anything in the export loses nothing, nor does a user whose new bond is not there.
				if (kind === 'bond' && schools.has(school) && !placesIn(name).some((place) => waiting.has(place)))
					expect(asked.has(name)).toBe(true);
			}
		}),
		RUNS,
	);
});

/** What tables do to rows: columns of their own, nothing as null, numbers for text and text for numbers, rows twice, any order. */
const mangled = (rows: readonly LedgerRow[]): fc.Arbitrary<unknown[]> =>
	fc
		.tuple(
			fc.shuffledSubarray([...rows], { minLength: rows.length, maxLength: rows.length }),
			fc.subarray([...rows]),
			fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
		)
		.map(([all, twice, [hasColumns, hasNulls, hasNumbers]]) =>
			[...all, ...twice, {}].map((row, index) => ({
				...(hasColumns && { id: index, createdAt: '2026-01-01T00:00:00.000Z', note: null }),
				...Object.fromEntries(
					Object.entries(row as Record<string, string>).map(([name, value]) => {
						if (value === '') return [name, hasNulls ? null : value];
						return [
							name,
							hasNumbers && /^\d{1,10}$/.test(value) && !/^0\d/.test(value) ? Number(value) : value,
						];
					}),
				),
			})),
		)
		// An item with nothing but a number of its own is a row of another table.
		.map((items) => items.filter((item) => 'run_id' in item || Object.keys(item).length === 0));

test('Any order of the rows, and any table that adds columns, gives numbers for text or rows twice, gives the same plan', async () => {
	await fc.assert(
		fc.asyncProperty(exports, records('network'), fc.gen(), async (nights, tonight, gen) => {
			const service = new Service();
			service.fault = (_action, body) =>
				body.external_id === 'd' ? 400 : body.external_id === 'e' ? 500 : undefined;
			const ledger = await history(nights, service, { removeAfter: 2 });
			fc.pre(ledger.length > 0);
			const items = gen(mangled, ledger);
			const [one, other] = await Promise.all(
				[ledger, items].map(
					async (rows) => await planned(nightOf(9), exportOf(tonight), rows, { removeAfter: 2 }),
				),
			);
			expect(essence(other)).toEqual(essence(one));
			expect(other.summary.ledger_rows).toBe(one.summary.ledger_rows);
		}),
		RUNS,
	);
});

/** How many rows there are after each run that came to its end. */
function ends(ledger: readonly LedgerRow[]): Set<number> {
	return new Set(
		ledger.flatMap((row, index) => (ledger[index + 1]?.run_id === row.run_id ? [] : [index + 1])),
	);
}

test('Any cut of the ledger, except exactly after a run that came to its end, brings no change out', async () => {
	await fc.assert(
		fc.asyncProperty(exports, records('network'), async (nights, tonight) => {
			const ledger = await history(nights, new Service());
			const finished = ends(ledger);
			for (let length = 0; length < ledger.length; length++) {
				if (finished.has(length)) continue;
				const outcome = await planAt(nightOf(9), exportOf(tonight), ledger.slice(0, length));
				expect(outcome.ok ? outcome.value.changes : []).toEqual([]);
			}
		}),
		{ numRuns: 25 },
	);
});

test('Rows lost anywhere bring no change out, unless whole runs at the end are lost or rows that nobody needs', async () => {
	await fc.assert(
		fc.asyncProperty(
			exports,
			records('network'),
			fc.infiniteStream(fc.integer({ min: 0, max: 9 })),
			async (nights, tonight, dice) => {
				const ledger = await history(nights, new Service());
				const kept = ledger.filter(() => dice.next().value !== 0);
				const greatest = kept.reduce((last, { run_id: runId }) => (runId > last ? runId : last), '');
				const lost = ledger.filter((row) => !kept.includes(row) && row.run_id <= greatest && isOutcome(row));
				fc.pre(lost.length > 0);
				const outcome = await planAt(nightOf(9), exportOf(tonight), kept, {
					holdCreationsPercent: 100,
					holdRemovalsPercent: 100,
				});
				expect(outcome.ok ? outcome.value.changes : []).toEqual([]);
			},
		),
		RUNS,
	);
});

test('With users told apart by school, the plan of all schools is the plans of each together', async () => {
	const nights = fc.tuple(records('school'), records('school'));
	await fc.assert(
		fc.asyncProperty(nights, async ([first, second]) => {
			const of = (school: string | undefined, all: RosterRecord[]) =>
				exportOf(all.filter(({ fields }) => school === undefined || fields.school_external_id === school));
			const plans: Plan[][] = [];
			for (const school of [undefined, ...SCHOOLS]) {
				const options = { userKeys: 'school', holdCreationsFrom: 2, holdRemovalsFrom: 1 } as const;
				const one = await night(nightOf(0), of(school, first), [], new Service('school'), {
					...options,
					firstRun: true,
				});
				// A school of which nothing came has no ledger yet.
				const firstRun = one.ledger.length === 0;
				plans.push([
					one.plan,
					await planned(nightOf(1), of(school, second), one.ledger, {
						...options,
						firstRun,
						holdCreationsPercent: 100,
					}),
				]);
			}
			const [whole, ...parts] = plans;
			for (const number of [0, 1])
				expect(deeds(whole[number])).toEqual(parts.flatMap((part) => deeds(part[number])).sort());
		}),
		RUNS,
	);
});

test('One school at a time gives what all of them together give', async () => {
	await fc.assert(
		fc.asyncProperty(records('school'), async (export_) => {
			const options = { firstRun: true, userKeys: 'school' } as const;
			const whole = await planned(nightOf(0), rosterOf(export_), [], options);
			const parts = await Promise.all(
				SCHOOLS.map(
					async (school) =>
						await planned(nightOf(0), rosterOf(export_), [], { ...options, onlySchools: [school] }),
				),
			);
			expect(parts.flatMap(deeds).sort()).toEqual(deeds(whole));
		}),
		RUNS,
	);
});

test('Removing rows and adding them again ends where it began', async () => {
	await fc.assert(
		fc.asyncProperty(
			records('network'),
			fc.infiniteStream(fc.boolean()),
			fc.integer({ min: 1, max: 2 }),
			async (export_, coin, removeAfter) => {
				const service = new Service();
				const kept = export_.filter(() => coin.next().value);
				const before = await history([export_], service, { removeAfter });
				fc.pre(before.length > 0);
				const there = service.all();
				let ledger = before;
				for (const [number, records_] of [kept, export_].entries())
					({ ledger } = await night(nightOf(number + 1), rosterOf(records_), ledger, service, {
						...UNHELD,
						removeAfter,
					}));
				expect(service.all()).toEqual(there);
				const again = await planned(nightOf(9), rosterOf(export_), ledger, { removeAfter });
				expect([
					again.changes,
					again.findings.filter(({ severity }) => severity !== 'error' && severity !== 'warning'),
				]).toEqual([[], []]);
				expect(service.doubles).toBe(0);
			},
		),
		RUNS,
	);
});

test('What is too much for one run comes in the next ones without being held, and all of it together is the whole', async () => {
	await fc.assert(
		fc.asyncProperty(records('network'), fc.integer({ min: 1, max: 6 }), async (export_, mostChanges) => {
			const options = { mostChanges, holdCreationsFrom: 1, holdCreationsPercent: 1, batchSize: 2 };
			const whole = await planned(nightOf(0), rosterOf(export_), [], { firstRun: true });
			const service = new Service();
			const done: string[] = [];
			let ledger: LedgerRow[] = [];
			for (let number = 0; number === 0 || done.length < whole.changes.length; number++) {
				const one = await night(nightOf(number), rosterOf(export_), ledger, service, {
					...options,
					firstRun: number === 0,
				});
				expect(one.plan.held).toEqual([]);
				expect(one.plan.changes.length).toBe(Math.min(mostChanges, whole.changes.length - done.length));
				expect(one.plan.summary.left).toBe(whole.changes.length - done.length - one.plan.changes.length);
				done.push(...deeds(one.plan));
				({ ledger } = one);
			}
			expect(done.sort()).toEqual(deeds(whole));
		}),
		RUNS,
	);
});

test.each([
	['of all schools', 'network', {}],
	['of schools with a journal each', 'school', { userKeys: 'school', onlySchools: SCHOOLS }],
] as const)('Compaction of a ledger %s changes no later plan', async (_what, userKeys, scope) => {
	// A school without any row would want its first run.
	const always = SCHOOLS.map((school) => aClass('always', school));
	const export_ = records(userKeys).map((all) => [...always, ...all]);
	await fc.assert(
		fc.asyncProperty(
			fc.array(export_, { minLength: 1, maxLength: 4 }),
			export_,
			fc.nat(6),
			fc.boolean(),
			async (nights, tonight, crash, isDeleted) => {
				const service = new Service(userKeys);
				service.fault = (action, body) => {
					if (action === 'remove') return body.user_external_id === 'a' ? 500 : undefined;
					return body.external_id === 'd' ? 400 : body.external_id === 'e' ? 500 : undefined;
				};
				const options = { removeAfter: 2, afterInterruption: 'goOn', mostChanges: 7, ...scope } as const;
				let { ledger } = await night(
					nightOf(0),
					rosterOf(nights[0]),
					[],
					service,
					{ ...UNHELD, ...options, firstRun: true, batchSize: 2 },
					crash,
				);
				fc.pre(ledger.length > 0);
				for (const [number, export_] of nights.slice(1).entries())
					({ ledger } = await night(nightOf(number + 1), rosterOf(export_), ledger, service, {
						...UNHELD,
						...options,
					}));
				const compacted = await compact(ledger, { ...meansAt(nightOf(8)), tail: 'c' });
				fc.pre(compacted.ok);
				if (!compacted.ok) return;
				const after = isDeleted ? compacted.value : [...ledger, ...compacted.value];
				unlessCut(ledger, after);
				for (const uncertainCreations of ['report', 'sendAgain'] as const) {
					const [one, other] = await Promise.all(
						[ledger, after].map(
							async (rows) =>
								await planned(nightOf(9), exportOf(tonight), rows, { ...options, uncertainCreations }),
						),
					);
					expect(essence(other)).toEqual(essence(one));
				}
				const [again] = await Promise.all([compact(after, { ...meansAt(nightOf(9)), tail: 'd' })]);
				expect(again.ok && again.value.length).toBe(compacted.value.length);
			},
		),
		RUNS,
	);
});

test('A run that is interrupted anywhere, again and again, creates nothing twice, and its rest is not held as new', async () => {
	await fc.assert(
		fc.asyncProperty(
			records('network'),
			fc.array(fc.record({ written: fc.nat(3), rows: fc.nat(5) }), { maxLength: 4 }),
			async (export_, crashes) => {
				const service = new Service();
				const roster = rosterOf(export_);
				const whole = await planned(nightOf(0), roster, [], { firstRun: true });
				const options = {
					holdCreationsFrom: 1,
					holdCreationsPercent: 1,
					afterInterruption: 'goOn',
					batchSize: 2,
					mostChanges: 6,
				} as const;
				let ledger: LedgerRow[] = [];
				let left = 1;
				let isPartOfPlanLost = false;
				for (let number = 0; number <= crashes.length || left > 0; number++) {
					unlessCut(ledger);
					let plan = await planned(nightOf(number), roster, ledger, {
						...options,
						firstRun: ledger.length === 0,
					});
					// Of a plan whose rows were written in part nobody can say what it planned: somebody looks at it again.
					if (isPartOfPlanLost)
						plan = await planned(nightOf(number), roster, ledger, {
							...options,
							approvedPlan: [plan.summary.plan_id],
							firstRun: ledger.length === 0,
						});
					expect(plan.held).toEqual([]);
					const { written, rows } = crashes[number] ?? { written: Infinity, rows: Infinity };
					// The rows of the plan themselves may be written in part; then nothing is sent.
					const isPlanWritten = rows >= plan.ledgerRows.length;
					isPartOfPlanLost = !isPlanWritten;
					ledger = [
						...ledger,
						...plan.ledgerRows.slice(0, rows),
						...(isPlanWritten ? await applied(plan.changes, service, nightOf(number), written) : []),
					];
					({ left } = plan.summary);
				}
				expect(service.doubles).toBe(0);
				const { summary, changes } = await planned(nightOf(50), roster, ledger, {
					...options,
					firstRun: ledger.length === 0,
				});
				expect(changes).toEqual([]);
				const uncertain = (['class', 'user', 'bond'] as const).reduce(
					(sum, kind) => sum + summary.counts[kind].uncertain,
					0,
				);
				// At most one batch for each interruption.
				expect(uncertain).toBeLessThanOrEqual(2 * crashes.length);
				const { ledger: after } = await night(nightOf(51), roster, ledger, service, {
					...options,
					...UNHELD,
					mostChanges: 1_000,
					uncertainCreations: 'sendAgain',
					firstRun: ledger.length === 0,
				});
				expect(service.things.size).toBe(whole.changes.length);
				expect((await planned(nightOf(52), roster, after, { firstRun: after.length === 0 })).changes).toEqual(
					[],
				);
			},
		),
		{ numRuns: 80 },
	);
});

test('Several schools at a time, interrupted after any batch, again and again, create nothing twice', async () => {
	const always = SCHOOLS.map((school) => aClass('always', school));
	await fc.assert(
		fc.asyncProperty(records('school'), fc.array(fc.nat(4), { maxLength: 3 }), async (export_, crashes) => {
			const service = new Service('school');
			const roster = rosterOf([...always, ...export_]);
			const options = {
				...UNHELD,
				onlySchools: SCHOOLS,
				userKeys: 'school',
				batchSize: 2,
				afterInterruption: 'goOn',
			} as const;
			const whole = await planned(nightOf(0), roster, [], { ...options, firstRun: true });
			let ledger: LedgerRow[] = [];
			for (const [number, crash] of [...crashes, Infinity].entries())
				({ ledger } = await night(
					nightOf(number),
					roster,
					ledger,
					service,
					{ ...options, firstRun: number === 0 },
					crash,
				));
			expect(service.doubles).toBe(0);
			unlessCut(ledger);
			({ ledger } = await night(nightOf(9), roster, ledger, service, {
				...options,
				uncertainCreations: 'sendAgain',
			}));
			expect(service.things.size).toBe(whole.changes.length);
			expect((await planned(nightOf(10), roster, ledger, options)).changes).toEqual([]);
		}),
		RUNS,
	);
});
