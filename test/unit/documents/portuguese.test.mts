/** What the roster says, in Portuguese: as true as the words of the node. */
import { everythingSaid, PORTUGUESE } from '../../../tools/generated/roster.mts';

const said = everythingSaid();

test('what is always an error is never nothing to do', () => {
	const severities = (code: string) =>
		new Set(said.flatMap((one) => (one.code === code ? one.severity : [])));
	const errors = Object.keys(PORTUGUESE).filter((code) => [...severities(code)].join() === 'error');
	expect(errors.length).toBeGreaterThan(30);
	expect(errors.filter((code) => /nada a fazer/i.test(PORTUGUESE[code].what_to_do))).toEqual([]);
});
