/** Time as a night needs it. Passed in, so that tests run a night in time that is only counted. */
export interface Clock {
	/** Milliseconds since 1970; may jump. */
	wall: () => number;
	/** Milliseconds that only grow; stands still, on some systems, while the machine sleeps. */
	steady: () => number;
	sleep: (milliseconds: number) => Promise<void>;
}
