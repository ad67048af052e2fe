/** Ids of runs. They grow with the lease, so that it needs no clock to tell which of two runs came later. */

/** @param beat of the lease when the run took it @param wall milliseconds since 1970 @param tail random letters and digits */
export function runIdOf(beat: number, wall: number, tail: string): string {
	const time = new Date(wall).toISOString().replace(/[-:]|\.\d+/g, '');
	return `r${beat}-${time}-${tail}`;
}

/** The beat in an id; 0 in one that was not written here. */
export function beatOf(runId: string): number {
	return Number(/^r(\d+)-/.exec(runId)?.[1] ?? 0);
}
