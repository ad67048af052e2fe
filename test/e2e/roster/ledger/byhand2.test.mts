import { readFileSync } from 'node:fs';
import { createWorkflow, getExecution, itemsOf, runManually } from '../../../../playground/n8n-client.mts';
import { lockDatabase } from '../../trigger/database.mts';
import { Ground, probeWorkflow, type Place } from './ground.mts';
import type { Answer, Call } from './probe.mts';
const LEASE = { kind: 'lease', key: 'lease', sequence: '0' };
const wait = (ms: number) => new Promise((r) => setTimeout(r, ms));
test('lock', async () => {
	const g = await Ground.start();
	const place = { ledger: 'dataTable', ledgerName: 'L' } as Place;
	const out: string[] = [];
	await g.ask(place, { do: 'open', make: true }, { do: 'append', rows: [LEASE] });
	await wait(4000);
	for (const seconds of [4, 15]) {
		const { id } = await createWorkflow(g.session, probeWorkflow(place, Array.from({ length: 60 }, () => ({ do: 'append', rows: [{ kind: 'class', key: 'x' }] }) as Call)));
		const execution = await runManually(g.session, id, { trigger: 'Start' });
		await wait(2000);
		const start = Date.now();
		const unlock = await lockDatabase(g.n8n);
		await wait(seconds * 1000);
		await unlock();
		out.push(`locked ${seconds} s, in all ${Date.now() - start}`);
		let e;
		for (let i = 0; i < 80; i++) { await wait(1000); e = await getExecution(g.session, execution); if (e.status !== 'running') break; }
		const answers = (e!.status === 'running' ? [] : itemsOf(e!, 'Probe')).map(({ json }) => json as object as Answer);
		out.push(`${e!.status} ${answers.length} max ${Math.max(0, ...answers.map(({ ms }) => ms))} ${JSON.stringify(answers.filter(({ result }) => !result.ok).map(({ result, ms }) => [ms, (result as any).failure.code, (result as any).failure.message.slice(-90)]))} ${JSON.stringify(e!.data?.resultData?.error ?? '').slice(0, 300)}`);
		out.push('kept ' + JSON.stringify(await g.session.request('GET', '/executions?limit=100')).replace(/"workflow[^,]*,|"json[^,]*,|"binary[^,]*,|"retry[^,]*,|"used[^,]*,/g, '').slice(0, 2500));
	}
	console.log(out.join('\n'));
	console.log(readFileSync(g.n8n.userFolder + '/n8n.log', 'utf8').split('\n').filter((l) => !/migration/.test(l)).slice(-5).join('\n'));
	await g.n8n.stop();
}, 400_000);
