/** What is said of classes and users that the export no longer has: the service has no call that removes them. */
import type { Cause } from '../roster/findings';
import type { Kind, Place } from '../roster/record';

export interface LeftRecord {
	kind: Exclude<Kind, 'bond'>;
	key: string;
	school: string;
	/** Where the export itself says that it is gone. */
	source: Place | undefined;
}

export const hasLeft = ({ kind }: Pick<LeftRecord, 'kind'>): Cause => ({
	severity: 'information',
	code: kind === 'class' ? 'classLeft' : 'userLeft',
	...{ kind, isOfOne: true },
	message: `A ${kind} is no longer in the export, and the service has no call that removes it`,
	what_to_do:
		'Remove it in the service by hand if it should not stay. Its bonds are removed as they leave the export.',
});
