import type { Tools } from './operation';

/** How answers are read and updates are merged; the same for a whole run. */
export interface Manner {
	simplify: boolean;
	batchSize: number;
	/** For work of its own kind. */
	tools: Omit<Tools, 'send' | 'item'>;
}
