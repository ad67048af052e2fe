/** What all the attacks left behind: no secret in the database or the log, and nobody's name in the log. */
import { shown, type Area, type Cell } from '../cell.mts';
import type { HostileStage } from '../stage.mts';

/** Shorter ones would be found by chance. */
const SHORTEST = 12;

/** Every secret in each way that it could have been written down. */
function written(secrets: ReadonlyMap<string, string>): Array<[string, string]> {
	return [...secrets]
		.filter(([, secret]) => secret.length >= SHORTEST)
		.flatMap(
			([name, secret]): Array<[string, string]> => [
				[name, secret],
				[`${name}, in base64`, Buffer.from(secret).toString('base64').replace(/=+$/, '')],
				[`${name}, escaped`, encodeURIComponent(secret)],
			],
		);
}

function secretsOf(stage: HostileStage): Array<[string, string]> {
	const all = new Map(stage.secrets);
	stage.tokensOfPeers().forEach((token, index) => all.set(`a machine token (${index})`, token));
	return written(all);
}

const found = (
	where: string,
	text: { includes(part: string): boolean },
	parts: ReadonlyArray<[string, string]>,
) => parts.filter(([, part]) => text.includes(part)).map(([name]) => `${where}: ${name}`);

const inDatabase: Cell = {
	tries: 'a search for every secret of the attacks in the files of the database',
	holds: 'none is there: keys, client secrets, machine tokens, logout tokens, passwords in addresses',
	attempts: 1,
	attack: async (stage) =>
		stage.databaseFiles().flatMap(({ name, bytes }) => found(name, bytes, secretsOf(stage))),
};

const inLog: Cell = {
	tries: 'a search for them in the log of n8n at its most talkative',
	holds: 'none is there',
	attempts: 1,
	attack: async (stage) => found('log', stage.log(), secretsOf(stage)),
};

const people: Cell = {
	tries: 'a search for the people of the deliveries in the log',
	holds: 'nobody is named',
	attempts: 1,
	attack: async (stage) => {
		const log = stage.log();
		return [...stage.personal].filter((person) => log.includes(person)).map((person) => shown(person));
	},
};

export const traces: Area = { name: 'traces', cells: [inDatabase, inLog, people] };
