/** What a person does in the morning with Needs Attention: what its words say, with a look into the service and into the school system. */
import type { Nights } from '../unit/roster/night.mts';

import type { Network } from './network.mts';
import type { RememberingService } from './service.mts';
import type { Truth } from './truth.mts';

interface Morning {
	nights: Nights;
	service: RememberingService;
	network: Network;
	truth: Truth;
}

type Item = NonNullable<Nights['telling']>['attention'][number];

export async function settle(morning: Morning): Promise<void> {
	for (const item of morning.nights.telling?.attention ?? []) {
		if (item.key === undefined) continue;
		await resolveNamed(item, morning);
		const { truth, service } = morning;
		const number = truth.users.get(item.key);
		if (item.code === 'exists' && number !== undefined) correct(item.key, number, morning);
		const school = item.key.slice(0, item.key.indexOf('|') + 1);
		const isThere = [...service.personOf].some(([key, one]) => key.startsWith(school) && one === number);
		const isSomebodyNew = number !== undefined && !isThere;
		if (item.code === 'looksLikeKnown' && isSomebodyNew)
			await morning.nights.resolve(item.key, 'notInService');
	}
}

/** The keys that are named for Resolve. */
export function keysIn(words: string): string[] {
	const [, named = ''] = /run the operation Resolve with (.+?) and "notInService"/.exec(words) ?? [];
	return named.split(' or ').filter((text) => /^[cu]:/.test(text));
}

/** Looks into the service for what the words name, or the item itself, and says what is not there. */
async function resolveNamed({ code, severity, key, what_to_do: words }: Item, morning: Morning) {
	const isOverdue = code === 'unconfirmed' && severity === 'error';
	for (const one of isOverdue ? [key as string] : keysIn(words))
		if (!morning.service.there.has(one)) await morning.nights.resolve(one, 'notInService');
}

/** Two have the same id but for capitals, or the same e-mail: in the school system one of them gets another, unless the service has somebody by that id. */
function correct(user: string, number: number, { network, service }: Morning): void {
	const isSameId = (other: string) => other !== user && other.toLowerCase() === user.toLowerCase();
	if (![...service.there.keys()].some(isSameId)) network.correctEmail(number);
	else if (![...service.personOf.values()].includes(number)) network.correctId(number);
}
