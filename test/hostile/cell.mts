/** What the suite is made of. Areas know the stage by its type only, so that documents can read them without an n8n. */
import type { HostileStage } from './stage.mts';

/** One attack, or a handful of one kind. */
export interface Cell {
	/** What is tried. */
	tries: string;
	/** What must hold. */
	holds: string;
	/** How many attempts are in it. */
	attempts: number;
	/**
	 * Nobody can keep this from happening, and SECURITY.md says so: `holds` is what happens, and its attempts do not count as held.
	 * It fails when n8n has become better.
	 */
	isKnownNotToHold?: true;
	/** It mostly waits, and is tried beside others that do. */
	waits?: true;
	/** After so long it counts as not held. Default: `USUAL_PATIENCE_MS`. */
	patienceMs?: number;
	/** Everything that did not hold, one sentence for each attempt; empty when all is well. */
	attack: (stage: HostileStage) => Promise<string[]>;
}

export interface Area {
	name: string;
	cells: readonly Cell[];
}

export const USUAL_PATIENCE_MS = 90_000;

export const nameOf = ({ tries, holds }: Cell): string => `${tries}: ${holds}`;

/** Collects what did not hold. */
export class Findings {
	readonly list: string[] = [];

	hold(holds: boolean, otherwise: string): void {
		if (!holds) this.list.push(otherwise);
	}

	add(findings: readonly string[]): void {
		this.list.push(...findings);
	}
}

/** A value as it can stand in a finding: one line, not too long. */
export function shown(value: unknown, longest = 160): string {
	const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value));
	return text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text;
}
