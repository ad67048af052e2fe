import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { asNodeFailure } from '../shared/actions/nodeFailure';
import { outcomeOf } from '../shared/engine/unexpected';
import { success, type Outcome } from '../shared/failure';
import { searchProfiles } from '../shared/pickLists/profiles';
import { searchEducationalStages, searchGrades } from '../shared/pickLists/stages';

import { getRosterColumns } from './panel/columns';
import { credentials } from './panel/credentials';
import { ledgerProperties } from './panel/ledger';
import { mapping } from './panel/mapping';
import { options } from './panel/options';
import { notices, operation, OUTPUTS, SUBTITLE, type OperationName } from './panel/operation';
import { personProperties } from './panel/person';
import { sourceProperties } from './panel/source';
import { approve } from './run/approve';
import { explain } from './run/explain';
import { endsTheRun, LOOK_ONLY, noSuchOperation, notForAgents } from './run/failures';
import { preview } from './run/preview';
import { readRosterFiles } from './run/readFiles';
import { recordAccess } from './run/recordAccess';
import { resolve } from './run/resolve';
import { sync } from './run/sync';
import { takeOverSchools } from './run/takeOver';
import { verify } from './run/verify';

/** Throws why there are no outputs. */
type Run = (context: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

const RUNS: Record<OperationName, Run> = {
	approve,
	explain,
	preview,
	readFiles: readRosterFiles,
	recordAccess,
	resolve,
	sync,
	takeOver: takeOverSchools,
	verify,
};

const isOffered = (name: string): name is OperationName => Object.hasOwn(RUNS, name);

async function run(context: IExecuteFunctions): Promise<Outcome<INodeExecutionData[][]>> {
	const name = String(context.getNodeParameter('operation', 0));
	if (!isOffered(name)) return noSuchOperation(name);
	const reach = LOOK_ONLY.includes(name) ? 'questions' : 'unknown';
	return (
		notForAgents(context, name) ?? (await outcomeOf(reach, async () => success(await RUNS[name](context))))
	);
}

/** Keeps the service in step with whole rosters: what is different tonight is sent, once, and remembered. */
export class SchoolPartnerRoster implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'School Partner Roster',
		name: 'schoolPartnerRoster',
		icon: { light: 'file:../../icons/school-partner.svg', dark: 'file:../../icons/school-partner.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: SUBTITLE,
		description:
			'Keep the service in step with the roster of a school system: send what is different, once, and remember it',
		defaults: { name: 'School Partner Roster' },
		// For the operations that send nothing (run/failures.ts): what is sent is for a schedule and a person to decide, not for a model.
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: OUTPUTS,
		credentials,
		properties: [
			operation,
			...notices,
			...personProperties,
			...sourceProperties,
			...ledgerProperties,
			mapping,
			options.night,
			options.takeOver,
			options.verify,
			options.readFiles,
		],
	};

	methods = {
		listSearch: { searchEducationalStages, searchGrades, searchProfiles },
		resourceMapping: { getRosterColumns },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const outcome = await outcomeOf('nothing', async () => await run(this));
		if (outcome.ok) return outcome.value;
		endsTheRun(this);
		throw asNodeFailure(this, outcome.failure);
	}
}
