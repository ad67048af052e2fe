/** Where in the requests of an operation a field of its input stands. */
import type { Operation } from '../../nodes/SchoolPartner/framework/operation.ts';
import type { ServiceRequest } from '../../nodes/shared/transport/request.ts';
import type { Input } from './examples.mts';
import { code } from './table.mts';

type Path = ReadonlyArray<string | number>;

/** The requests for one item; none for work that makes its own. */
export function requestsOf({ work }: Operation, input: unknown): ServiceRequest[] {
	switch (work.kind) {
		case 'request':
			return [work.request(input)];
		case 'merged':
			return [work.request([input])];
		case 'parts':
			return Object.values(work.parts).map((part) => part.work.request(input));
		case 'own':
			return [];
	}
}

/** "path", "query `tenant_id`", "`data[].school_id`": every place once. */
export function placesOf(operation: Operation, example: Input, path: Path): string[] {
	const input = operation.contract.parse(example) as Input;
	const value = valueAt(input, path);
	const requests = requestsOf(operation, input);
	const places = requests.flatMap((request) => [
		...(request.path.includes(`/${encodeURIComponent(String(value))}`) ? ['path'] : []),
		...inQuery(request, String(path.at(-1)), value),
		...bodyPathOf(request, path).map(code),
		...listsHolding(request, value).map(code),
	]);
	return [...new Set(places)];
}

/** The lists of a body that hold all entries of this one: it may join another (`other_profiles`). */
function listsHolding(request: ServiceRequest, value: unknown): string[] {
	if (!Array.isArray(value) || value.length === 0) return [];
	return Object.entries(envelopeOf(request)).flatMap(([name, list]) =>
		Array.isArray(list) && value.every((entry) => list.includes(entry)) ? [name] : [],
	);
}

/** What stands in the body of a request in the place of a field. */
export function sentValue(request: ServiceRequest, path: Path): unknown {
	return valueAt(envelopeOf(request), path);
}

/** Trap: the names of a query that the document does not show are values of the input themselves. */
function inQuery({ query = {} }: ServiceRequest, name: string, value: unknown): string[] {
	if (Array.isArray(query)) return query.flat().includes(String(value)) ? ['query'] : [];
	return Object.hasOwn(query, name) ? [`query ${code(name)}`] : [];
}

function bodyPathOf(request: ServiceRequest, path: Path): string[] {
	if (sentValue(request, path) === undefined) return [];
	const { data } = (request.body ?? {}) as Input;
	const start = data === undefined ? '' : Array.isArray(data) ? 'data[].' : 'data.';
	return [
		start + path.map((step, at) => (typeof step === 'number' ? '[]' : at === 0 ? step : `.${step}`)).join(''),
	];
}

/** The object that holds the fields: the body, what stands under `data`, or the first update of several. */
function envelopeOf({ body = {} }: ServiceRequest): Input {
	const { data = body } = body as Input;
	return (Array.isArray(data) ? data[0] : data) as Input;
}

function valueAt(start: unknown, path: Path): unknown {
	return path.reduce<unknown>(
		(value, step) =>
			typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined,
		start,
	);
}
