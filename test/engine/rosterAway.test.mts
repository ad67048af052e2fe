/** A night that finds the service away before it has sent anything. */
import { eventually } from '../../playground/eventually.mts';

import { EXPORT, useOffice, zipOf } from './rosterStage.mts';

const office = useOffice();
const { workroom } = office;

/** One student more than the night before. */
const TONIGHT = {
	roster: [
		zipOf({
			'users.csv': `${EXPORT['users.csv']}\nros-new,,,true,school-001,student,novo,,Elmo,Fontela,,,,,,,,`,
		}),
	],
};

const away = async (path: string) => await workroom.admin.addFault({ path }, { documented: 503 });

test.each<[string, () => Promise<unknown>, string]>([
	['the service answers 503', async () => await away('/data'), 'The service could not be asked'],
	[
		'the sign-on gives no new token',
		async () => {
			await workroom.admin.expireTokens();
			await away('/identity/connect/token');
		},
		'The sign-on area at ',
	],
	['nothing answers', async () => await workroom.admin.refuseConnections(8_000), 'Nothing answers at '],
])(
	'ends as unfinished where %s at an address that the ledger knows, and the next one does it all',
	async (_what, goAway, words) => {
		await office.begin();
		await goAway();
		const { summary, attention, changes } = await office.sync(TONIGHT);
		expect(summary).toMatchObject({
			outcome: 'unfinished',
			changes: 0,
			causes: [{ code: 'serviceAway', count: 1 }],
		});
		expect(attention).toMatchObject([
			{
				...{ severity: 'error', code: 'serviceAway', new: true, since: expect.stringMatching(/^\d{4}-/) },
				message: expect.stringContaining(`The service was away, and nothing was sent. ${words}`),
				// The ledger has no row of what such a list would have brought.
				what_to_do: expect.stringContaining('list that comes only once, start Sync again with it'),
			},
		]);
		expect(changes).toEqual([]);
		await workroom.admin.clearFaults();
		const next = await eventually(async () => {
			const night = await office.sync(TONIGHT);
			return night.summary.outcome === 'unfinished' ? undefined : night;
		});
		expect(next.changes).toMatchObject([{ key: 'u:school-001|ros-new', state: 'applied' }]);
	},
);

test('fails where nobody knows the service at this address: it may be a wrong one', async () => {
	await away('/data');
	const words = await office.stop('sync');
	expect(words.message).toContain('The service could not be asked what it has');
});

test('fails where the service is there, and refuses', async () => {
	await office.begin();
	await workroom.admin.addFault({ path: '/data' }, { status: 403 });
	const words = await office.stop('sync', TONIGHT);
	expect(words.message).toContain('The service could not be asked what it has');
});
