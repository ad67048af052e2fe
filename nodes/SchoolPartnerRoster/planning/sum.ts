/** A digest of many texts that does not depend on their order: of each its digest, added up. */
import { hash } from 'node:crypto';

const WIDTH = 16;

export class Sum {
	private count = 0;

	private readonly lanes = new Uint32Array(4);

	/** @param digest of the text, where another sum has taken it already: gives it back */
	add(text: string, digest: Buffer = hash('sha256', text, 'buffer')): Buffer {
		for (let lane = 0; lane < this.lanes.length; lane++) this.lanes[lane] += digest.readUInt32BE(lane * 4);
		this.count += 1;
		return digest;
	}

	/** Letters and digits, beginning with `letter`. */
	digest(letter: string): string {
		return letter + hash('sha256', `${this.count} ${this.lanes.join(' ')}`, 'hex').slice(0, WIDTH);
	}
}
