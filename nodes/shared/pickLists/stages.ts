import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { getEducationalStages } from '../calls/provisioning';

import { listCannotBeShown } from './listCannotBeShown';
import { isFound, lookUp } from './lookup';

/** The educational stages of the school that is filled in. */
export async function searchEducationalStages(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return {
		results: (await stagesOf(this)).map(asChoice).filter(({ name, value }) => isFound(filter, name, value)),
	};
}

/** The grades of the stage that is picked; of all stages, each named with its own, while none can be told. */
export async function searchGrades(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const stages = await stagesOf(this);
	const picked = filledIn(this, 'educationalStage');
	const meant = stages.filter(({ name }) => name === picked);
	const choices = meant.length > 0 ? meant.flatMap(gradesOf).map(asChoice) : stages.flatMap(gradesWithStage);
	return { results: choices.filter(({ name, value }) => isFound(filter, name, value)) };
}

async function stagesOf(context: ILoadOptionsFunctions): Promise<IDataObject[]> {
	const schoolExternalId = filledIn(context, 'schoolExternalId');
	if (schoolExternalId === undefined) {
		throw listCannotBeShown(context, {
			message: 'Fill in School External ID first',
			next: 'The list shows the stages and grades of that school. Where School External ID comes from the input data, run the node before; where it is to stay empty, fill it in while you pick; or choose By Name.',
		});
	}
	const query = { school_external_id: schoolExternalId };
	return await lookUp(
		context,
		getEducationalStages,
		query,
		'Check School External ID, and Base URL in the credential.',
	);
}

/**
 * What a parameter says while the node is being edited; undefined when it is empty or cannot be told yet. In the row of a table, the
 * parameter of that row is meant.
 */
function filledIn(context: ILoadOptionsFunctions, parameter: string): string | undefined {
	// Trap: n8n's own way to the value of a resource locator throws where there is no such parameter.
	const held: unknown =
		context.getCurrentNodeParameter(`&${parameter}`) ?? context.getCurrentNodeParameter(parameter);
	const value: unknown = typeof held === 'object' && held !== null && 'value' in held ? held.value : held;
	// Trap: an expression that has no data yet arrives as its own text.
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' && value.trim() !== '' && !value.startsWith('=') ? value : undefined;
}

function gradesOf(stage: IDataObject): IDataObject[] {
	return Array.isArray(stage.grades) ? (stage.grades as IDataObject[]) : [];
}

function gradesWithStage(stage: IDataObject) {
	return gradesOf(stage).map((grade) => ({
		...asChoice(grade),
		name: `${asChoice(grade).name} (${String(stage.name)})`,
	}));
}

/** "elementary: Elementary school": what is sent, and what it means. */
function asChoice({ name, description }: IDataObject): { name: string; value: string } {
	const text =
		typeof description === 'string' && description !== '' && description !== name
			? `${String(name)}: ${description}`
			: String(name);
	return { name: text, value: String(name) };
}
