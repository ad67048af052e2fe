/** Runs of single calls against a peer. */
import type { Peer } from '../peers/servicePeer.mts';
import type { Seen } from '../runs.mts';
import type { HostileStage } from '../stage.mts';

import { CREATE_BOND, GET_ACCOUNT, rowOf, UPDATE_ACCOUNT, type Call } from './calls.mts';

/** A lookup, an update, a creation. */
export const KINDS: readonly Call[] = [GET_ACCOUNT, UPDATE_ACCOUNT, CREATE_BOND];

/** Runs a call against a peer that is service and sign-on in one. */
export async function runAgainst(
	stage: HostileStage,
	call: Call,
	peer: Peer,
	{ options = {}, values = ['one'] }: { options?: object; values?: string[] } = {},
): Promise<Seen> {
	const credential = await stage.machineCredential(peer.url);
	return await stage.run({ parameters: call.parameters(options), rows: values.map(rowOf), credential });
}
