/** How strict the sandbox is where n8n itself, or a login that asks for less, sends no `scope` with its token requests. */
import { allStrictParts } from '../../sandbox/strict.mts';

export const STRICT_BUT_FOR_SCOPE = allStrictParts.filter((part) => part !== 'scope');
