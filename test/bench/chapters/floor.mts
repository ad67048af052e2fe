/** The limit here: the same requests by a client with kept-alive connections, in a process that does nothing else. */
import axios from 'axios';
import pMap from 'p-map';

import { createWorkflow } from '../../../playground/n8n-client.mts';

import { contestsOf } from '../contests.mts';
import { openHall, type Hall } from '../hall.mts';
import { runToItsEnd, timesOf } from '../measuring/runs.mts';
import { ratiosOf, spreadOf } from '../measuring/statistics.mts';
import type { Floor, Plan } from '../results.mts';

const COUNT = 2_000;
const IN_FLIGHT = 10;

export async function measureFloor({ rounds, say }: Plan): Promise<Floor[]> {
	const hall = await openHall(COUNT);
	try {
		const token = await fetchToken(hall);
		const floors: Floor[] = [];
		for (const { id, bareRequest } of bareWork(hall)) {
			const contest = contestsOf(hall, COUNT).find((each) => each.id === id);
			if (contest === undefined) throw new Error(`There is no contest "${id}"`);
			say(`${contest.what}: the floor`);
			const { id: workflowId } = await createWorkflow(hall.session, contest.ours.workflow);
			const ours = async () =>
				(await timesOf(hall.session, await runToItsEnd(hall.session, workflowId), contest.ours.nodes)).nodeMs;
			const bare = async () => await timeBare(bareRequest, token);
			await ours();
			await bare();
			const measured = { ours: [] as number[], bare: [] as number[] };
			for (let round = 0; round < rounds; round++) {
				measured.ours.push(await ours());
				measured.bare.push(await bare());
			}
			floors.push({
				what: contest.what,
				bare: spreadOf(measured.bare),
				ours: spreadOf(measured.ours),
				ratio: spreadOf(ratiosOf(measured.ours, measured.bare)),
			});
		}
		return floors;
	} finally {
		await hall.end();
	}
}

type BareRequest = (index: number) => { url: string; method: string; body?: string };

function bareWork({ sandbox, facts, accountIds }: Hall): Array<{ id: string; bareRequest: BareRequest }> {
	const [guardian] = facts.responsibles;
	return [
		{
			id: 'create-mapped',
			bareRequest: (index) => ({
				url: `${sandbox.baseUrl}/integration/partner/v1/user`,
				method: 'POST',
				body: JSON.stringify({
					school_external_id: guardian?.schoolExternalId,
					external_id: `pupil-${index}`,
					first_name: 'Abelia',
					last_name: 'Fontela',
					birth_date: '2014-05-17',
					document_type: 'TAX_ID',
					document_value: '00000000191',
					responsible_external_id: [guardian?.externalId],
					profiles: ['student'],
				}),
			}),
		},
		{
			id: 'get-different',
			bareRequest: (index) => ({
				url: `${sandbox.baseUrl}/sync/v1/accounts/${accountIds[index]}?tenant_id=${facts.tenantId}`,
				method: 'GET',
			}),
		},
	];
}

async function fetchToken({ sandbox }: Hall): Promise<string> {
	const form = new URLSearchParams({
		grant_type: 'client_credentials',
		client_id: sandbox.clientId,
		client_secret: sandbox.clientSecret,
	});
	const { data } = await axios.post<{ access_token: string }>(`${sandbox.issuerUrl}/connect/token`, form, {
		proxy: false,
	});
	return data.access_token;
}

/** Node's own `fetch` keeps its connections alive. */
async function timeBare(requestOf: BareRequest, token: string): Promise<number> {
	const startedAt = performance.now();
	await pMap(
		Array.from({ length: COUNT }, (_, index) => index),
		async (index) => {
			const { url, method, body } = requestOf(index);
			const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
			const response = await fetch(url, { method, headers, body });
			if (!response.ok) throw new Error(`The service answers ${response.status}`);
			await response.json();
		},
		{ concurrency: IN_FLIGHT },
	);
	return performance.now() - startedAt;
}
