import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { asNodeFailure } from '../shared/actions/nodeFailure';
import type { Outcome } from '../shared/failure';
import { searchProfiles } from '../shared/pickLists/profiles';
import { searchEducationalStages, searchGrades } from '../shared/pickLists/stages';

import { applyOptions } from './panel/applyOptions';
import { getRosterColumns } from './panel/columns';
import { mapping } from './panel/mapping';
import { notices, operation } from './panel/operation';
import { planOptions } from './panel/planOptions';
import { INPUTS, OUTPUTS, SUBTITLE, type OperationName } from './panel/ports';
import { readOptions } from './panel/readOptions';
import { sourceProperties } from './panel/source';
import { applyChanges } from './run/apply';
import { compactLedger } from './run/compact';
import { planChanges } from './run/plan';
import { readRoster } from './run/readFiles';
import { endsTheRun } from './run/stop';

type Run = (context: IExecuteFunctions) => Promise<Outcome<INodeExecutionData[][]>>;

const RUNS: Record<OperationName, Run> = {
	apply: applyChanges,
	compact: compactLedger,
	plan: planChanges,
	readFiles: readRoster,
};

/** Keeps the service in step with whole rosters: what is different tonight is planned, applied once, and written down. */
export class SchoolPartnerRoster implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'School Partner Roster',
		name: 'schoolPartnerRoster',
		icon: { light: 'file:../../icons/school-partner.svg', dark: 'file:../../icons/school-partner.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: SUBTITLE,
		description:
			'Keep the service in step with the roster of a school system: plan what is different, and apply it once',
		defaults: { name: 'School Partner Roster' },
		// n8n takes all inputs from a tool: every operation would be without the files and the ledger that it reads. And what is
		// planned and applied is for a schedule and a person to decide, not for a model. docs/agents.md says how an agent gets a plan.
		usableAsTool: undefined,
		inputs: INPUTS,
		outputs: OUTPUTS,
		credentials: [
			{
				name: 'schoolPartnerOAuth2Api',
				required: true,
				displayOptions: {
					show: { operation: ['apply', 'plan'] },
					hide: { 'options.checkWithService': [false] },
				},
			},
		],
		properties: [operation, ...notices, ...sourceProperties, mapping, planOptions, readOptions, applyOptions],
	};

	methods = {
		listSearch: { searchEducationalStages, searchGrades, searchProfiles },
		resourceMapping: { getRosterColumns },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const name = this.getNodeParameter('operation', 0) as OperationName;
		const outcome = await RUNS[name](this).catch((thrown: unknown) => {
			endsTheRun(this);
			throw thrown;
		});
		if (outcome.ok) return outcome.value;
		endsTheRun(this);
		throw asNodeFailure(this, outcome.failure);
	}
}
