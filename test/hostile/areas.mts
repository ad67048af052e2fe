/** Everything that is tried. Knows nothing of n8n when it is read, so that the documents can count it. */
import { addresses } from './areas/addresses.mts';
import { answers } from './areas/answers.mts';
import { deadlines } from './areas/deadlines.mts';
import { deliveries } from './areas/deliveries.mts';
import { items } from './areas/items.mts';
import { logouts } from './areas/logouts.mts';
import { pictures } from './areas/pictures.mts';
import { rosters } from './areas/rosters.mts';
import { sandboxes } from './areas/sandboxes.mts';
import { signOn } from './areas/signOn.mts';
import { traces } from './areas/traces.mts';
import type { Area } from './cell.mts';

export const AREAS: readonly Area[] = [
	deliveries,
	logouts,
	items,
	answers,
	deadlines,
	addresses,
	signOn,
	pictures,
	rosters,
	sandboxes,
];

/** Comes when everything else has been tried: it looks through what all of that left behind. */
export const LAST: Area = traces;
