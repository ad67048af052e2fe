import { outputSchemaOf } from '../../../tools/output-schema.mts';
import { operationNamed } from '../../../nodes/SchoolPartner/framework/operation.ts';
import { resources } from '../../../nodes/SchoolPartner/operations/index.ts';
import { operations } from '../../support/operations/index.mts';

/** Names and types of what an operation gives, as the editor shows them before the first run. */
function propertiesOf(resource: string, operation: string): Record<string, unknown> {
	const named = operationNamed(resources, resource, operation);
	if (named === undefined) throw new Error(`There is no ${resource}: ${operation}`);
	return outputSchemaOf(named.operation).properties as Record<string, unknown>;
}

const text = { type: 'string' };

test('Every operation says what it gives, as an object', () => {
	for (const { resource, operation } of operations) {
		const named = operationNamed(resources, resource, operation);
		expect([resource, operation, named && outputSchemaOf(named.operation).type]).toEqual([
			resource,
			operation,
			'object',
		]);
	}
});

test('Lookups and creations of provisioning give the fields of the document', () => {
	expect(propertiesOf('profile', 'getAll')).toEqual({
		code: { type: 'integer' },
		name: text,
		type: text,
		description: text,
	});
	expect(propertiesOf('educationalStage', 'getAll')).toMatchObject({
		name: text,
		grades: { type: 'array', items: { type: 'object', properties: { name: text, description: text } } },
	});
	expect(propertiesOf('class', 'create')).toEqual({
		...{ id: text, external_id: text, name: text, status: text },
		already_there: { type: 'boolean' },
	});
	expect(propertiesOf('accountCreation', 'get')).toEqual({ account_id: text, user_id: text, status: text });
});

test('A deleted bond says so, whatever the service answers beside it', () => {
	expect(propertiesOf('bond', 'delete')).toEqual({
		deleted: { type: 'boolean' },
		already_gone: { type: 'boolean' },
	});
	expect(propertiesOf('bond', 'create')).toEqual({ already_there: { type: 'boolean' } });
});

test('A snapshot has its six parts, lists where several are meant', () => {
	const types = Object.entries(propertiesOf('account', 'getSnapshot')).map(([name, part]) => [
		name,
		(part as { type: string }).type,
	]);
	expect(Object.fromEntries(types)).toEqual({
		tenant: 'object',
		account: 'object',
		sponsors: 'array',
		dependents: 'array',
		schools: 'array',
		classes: 'array',
	});
});
