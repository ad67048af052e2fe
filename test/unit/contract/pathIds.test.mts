/** What stands in the path of a request must not lead to another endpoint: address parsers climb with "." and "..". */
import { resources } from '../../../nodes/SchoolPartner/operations/index.ts';
import type { ServiceRequest } from '../../../nodes/shared/transport/request.ts';

/** Gives the name of each field as its value. */
const NAMES = new Proxy({}, { get: (_target, field) => `:${String(field)}:` });

const requestsOf = (work: (typeof resources)[number]['operations'][number]['work']): ServiceRequest[] => {
	if (work.kind === 'request') return [work.request(NAMES)];
	if (work.kind === 'merged') return [work.request([NAMES])];
	return work.kind === 'parts' ? Object.values(work.parts).map((part) => part.work.request(NAMES)) : [];
};

/** The fields that stand in a path, of every operation that has any. */
const inPaths = resources.flatMap(({ name, operations }) =>
	operations.flatMap(({ name: operation, contract, work }) => {
		// What answers to any name cannot be walked through; such queries have no path ids.
		if (name === 'accountCreation' || operation === 'createStudent') return [];
		const paths = requestsOf(work).map(({ path }) => decodeURIComponent(path));
		const fields = new Set(paths.flatMap((path) => [...path.matchAll(/:(\w+):/g)].map(([, field]) => field)));
		return [...fields].map((field) => ({ title: `${name}.${operation}: ${field}`, field, contract }));
	}),
);

test('Twelve operations have ids in their path', () => {
	expect(new Set(inPaths.map(({ title }) => title.split(':')[0])).size).toBe(12);
});

test.each(inPaths)('$title is refused when it would climb, or is empty', ({ field, contract }) => {
	for (const value of ['.', '..', '', ' ', null, undefined]) {
		const issues = contract.safeParse({ [field]: value }).error?.issues ?? [];
		expect([value, issues.map(({ path }) => path[0])]).toEqual([
			value,
			expect.arrayContaining([field]) as string[],
		]);
	}
});
