/** Asks the service what it has, before anything is sent to it. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { asNodeFailure } from '../../shared/actions/nodeFailure';
import { tellRequests } from '../../shared/actions/told';
import type { Failure } from '../../shared/failure';
import type { CheckWithService } from '../planning/options';
import { offeredBy } from '../service/ask';
import { refusalsOf } from '../service/offered';

import type { Sending } from './sending';

/** Nothing is asked before something is to be created. Throws when the service does not answer. */
export function checkWith(context: IExecuteFunctions, { means, gate }: Sending): CheckWithService {
	return async (records) => {
		const offered = await offeredBy(means, records);
		tellRequests(context, gate.pace.state.summary);
		if (!offered.ok) throw asNodeFailure(context, notAsked(offered.failure));
		return refusalsOf(records, offered.value);
	};
}

function notAsked(failure: Failure): Failure {
	return {
		...failure,
		message: `The service could not be asked what it has. ${failure.message}`,
		next: `${failure.next}\nNothing was sent. Without asking the service, run with the option Check With Service off.`,
	};
}
