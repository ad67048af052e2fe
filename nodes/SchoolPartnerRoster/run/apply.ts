import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { success, type Outcome } from '../../shared/failure';

export async function applyChanges(_context: IExecuteFunctions): Promise<Outcome<INodeExecutionData[][]>> {
	return success([[], []]);
}
