/** What the network's system exports, with the mistakes that it makes. */
import { DISASTERS } from './disasters.mts';
import { exportOf, type Export } from './exported.mts';
import type { Network } from './network.mts';
import type { Chance } from './random.mts';
import { SLIPS } from './slips.mts';

/** Of the nights: with a mistake in a row or two, and with a disaster. */
export interface Shares {
	slips: number;
	disasters: number;
}

/** Tonight's export, and what is wrong with it. */
export interface Tonight {
	export: Export;
	slip?: string;
	disaster?: string;
}

/** What the network's system gives out, night after night. */
export class NightlyExports {
	private readonly earlier: Export[] = [];

	/** A disaster stays until somebody mends it. */
	private disaster: { name: string; nights: number } | undefined;

	constructor(
		private readonly chance: Chance,
		private readonly shares: Shares,
	) {}

	of(network: Network, mayErr: boolean, isThere: (id: string) => boolean): Tonight {
		const tonight = exportOf(network);
		const found = mayErr ? (this.ruined(tonight, isThere) ?? this.slipped(tonight, isThere)) : undefined;
		this.earlier.push(tonight);
		return found ?? { export: tonight };
	}

	private ruined(tonight: Export, isThere: (id: string) => boolean): Tonight | undefined {
		const { chance, shares, earlier } = this;
		if (this.disaster === undefined && chance.isTrue(shares.disasters) && tonight.enrollments.length > 0)
			this.disaster = { name: chance.of(Object.keys(DISASTERS)), nights: chance.between(1, 3) };
		if (this.disaster === undefined) return undefined;
		const { name } = this.disaster;
		const ruined = DISASTERS[name]({ tonight, earlier, chance, isThere });
		if (ruined === undefined || --this.disaster.nights === 0) this.disaster = undefined;
		return ruined && { export: ruined, disaster: name };
	}

	private slipped(tonight: Export, isThere: (id: string) => boolean): Tonight | undefined {
		const { chance, shares } = this;
		if (!chance.isTrue(shares.slips) || tonight.enrollments.length === 0) return undefined;
		const slip = chance.of(Object.keys(SLIPS));
		const changed = structuredClone(tonight);
		SLIPS[slip](changed, chance, isThere);
		return { export: changed, slip };
	}
}
