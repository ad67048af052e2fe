import { LedgerDatabase } from '../../../support/ledger-database.mts';
import { lockDatabase } from '../../trigger/database.mts';
import { Ground, type Place } from './ground.mts';
import type { Call } from './probe.mts';
const LEASE = { kind: 'lease', key: 'lease', sequence: '0' };
const med = (xs: number[]) => [...xs].sort((a, b) => a - b)[xs.length >> 1];
test('timings', async () => {
	const [g, db] = await Promise.all([Ground.start(), LedgerDatabase.start()]);
	const credential = await db.credential(g.session);
	await new Promise((r) => setTimeout(r, 5000));
	const out: string[] = [];
	for (const place of [{ ledger: 'dataTable', ledgerName: 'L' }, { ledger: 'postgres', ledgerName: 'L', credential }] as Place[]) {
		await g.ask(place, { do: 'open', make: true }, { do: 'append', rows: [LEASE] });
		const row = { run_id: '20261123T094013-abc', sequence: '123', kind: 'bond', key: 'b:4711|5A-2026|student-12345|student', school_external_id: '4711', state: 'applied', fields: 'a1b2c3:d4e5f6:778899', detail: '2026', at: '2026-11-23T09:40:13.000Z', service_id: '12345678' };
		const many = (copies: number, n: number): Call[] => Array.from({ length: n }, () => ({ do: 'append', rows: [row], copies }));
		const m = async (name: string, calls: Call[]) => {
			const a = await g.ask(place, ...calls);
			const bad = a.find(({ result }) => !result.ok);
			out.push(`${place.ledger} ${name}: median ${med(a.map(({ ms }) => ms))} min ${Math.min(...a.map(({ ms }) => ms))} max ${Math.max(...a.map(({ ms }) => ms))} ${bad ? JSON.stringify(bad) : ''}`);
		};
		await m('append 1', many(1, 20));
		await m('append 2000', many(2000, 10));
		await m('append 5000', many(5000, 4));
		await m('read 10000', Array.from({ length: 5 }, () => ({ do: 'rowsAfter', id: 1, limit: 10_000 }) as Call));
		await m('lease update at 40,000 rows', Array.from({ length: 20 }, (_, i) => ({ do: 'replaceLease', after: { ...LEASE, sequence: String(i) } }) as Call));
		await m('leaseRows', Array.from({ length: 10 }, () => ({ do: 'leaseRows' }) as Call));
		await m('append 5000 x20', many(5000, 20));
		await m('read all of 140,000 by 10,000', [{ do: 'readAll', limit: 10_000 }]);
		await m('read all of 140,000 by 20,000', [{ do: 'readAll', limit: 20_000 }]);
		await m('lease update at 140,000 rows', Array.from({ length: 20 }, (_, i) => ({ do: 'replaceLease', after: { ...LEASE, sequence: String(i) } }) as Call));
		await m('leaseRows', Array.from({ length: 10 }, () => ({ do: 'leaseRows' }) as Call));
		await m('open', Array.from({ length: 10 }, () => ({ do: 'open', make: true }) as Call));
		await m('removeRange 10,000', [{ do: 'removeRange', from: 2, to: 10_001 }, { do: 'removeRange', from: 10_002, to: 20_001 }]);
	}
	// the connection of the pool is cut
	const pg = { ledger: 'postgres', ledgerName: 'L', credential } as Place;
	await db.rows("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = 'postgres' and backend_type = 'client backend'");
	out.push('after a cut: ' + JSON.stringify(await g.ask(pg, { do: 'leaseRows' }, { do: 'leaseRows' })));
	// cut in the middle
	const busy = g.ask(pg, { do: 'open', make: true, times: 40 });
	for (let i = 0; i < 8; i++) { await new Promise((r) => setTimeout(r, 100)); await db.rows("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = 'postgres' and backend_type = 'client backend'"); }
	out.push('cut in the middle: ' + JSON.stringify([...new Set((await busy).map(({ result }) => JSON.stringify(result)))]));
	// SQLite locked by somebody else for 15 s
	const dt = { ledger: 'dataTable', ledgerName: 'L' } as Place;
	const asked = g.ask(dt, ...Array.from({ length: 300 }, () => ({ do: 'append', rows: [LEASE] }) as Call), { do: 'append', rows: [LEASE] }).catch((e) => String(e));
	await new Promise((r) => setTimeout(r, 2500));
	const unlock = await lockDatabase(g.n8n);
	await new Promise((r) => setTimeout(r, 15_000));
	await unlock();
	const answers = await asked;
	out.push('locked: ' + JSON.stringify(typeof answers === 'string' ? answers : [answers.filter(({ result }) => !result.ok).slice(0, 5), Math.max(...answers.map(({ ms }) => ms))]));
	await db.stop();
	out.push('stopped: ' + JSON.stringify(await g.ask(pg, { do: 'leaseRows' })));
	out.push('kept ' + (await g.keptRuns()).length + ' of ' + g.runs.length);
	await g.n8n.stop();
	console.log(out.join('\n'));
}, 400_000);
test('size', async () => {
	const g = await Ground.start({ N8N_DATA_TABLES_MAX_SIZE_BYTES: '200000', N8N_DATA_TABLES_SIZE_CHECK_CACHE_DURATION_MS: '100' });
	const place = { ledger: 'dataTable', ledgerName: 'L' } as Place;
	const many: Call = { do: 'append', rows: [{ kind: 'class', key: 'x' }], copies: 5000 };
	console.log(JSON.stringify(await g.ask(place, { do: 'open', make: true }, { do: 'append', rows: [LEASE] }, many, many, many, { do: 'replaceLease', after: { ...LEASE, sequence: '1' } }, { do: 'removeRange', from: 1, to: 20_000 }, { do: 'replaceLease', after: { ...LEASE, sequence: '1' } }, many), null, 1));
	console.log(await g.keptRuns(), g.runs);
	await g.n8n.stop();
}, 100_000);
