/** Every operation of the action node: {@link OperationRow}. */
import { enrollment } from './enrollment.mts';
import { own } from './own.mts';
import { provisioning } from './provisioning.mts';
import type { OperationRow } from './row.mts';
import { synchronization } from './synchronization.mts';

/** One request, or several, that become items. */
export const operations: readonly OperationRow[] = [...provisioning, ...synchronization, ...enrollment];

/** Sign-on and the check of a registration. */
export const ownOperations: readonly OperationRow[] = own;

export const allOperations: readonly OperationRow[] = [...operations, ...ownOperations];
