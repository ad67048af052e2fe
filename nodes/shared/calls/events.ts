/** The call of the event query (the service's document: Endpoints, Event query). */
import { path } from '../contract/path';
import { canonicalStoredEvent, storedEvent, storedEventQuery } from '../contract/storedEvent';

import { lookup } from './call';

export const getStoredEvent = lookup(
	storedEventQuery,
	({ request_id }) => ({ path: path`/webhook/v1/webhooks/callback/${request_id}` }),
	{ shape: 'entity', schema: storedEvent, canonical: canonicalStoredEvent },
);
