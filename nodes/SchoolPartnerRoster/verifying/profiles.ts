/** Which type of profile the service means, where it shows an id and a name: bonds are made with a type. Pure. */
import { isObject, textOf } from './shownFields';

type Shown = Readonly<Record<string, unknown>>;

export class ProfileTypes {
	private readonly types = new Map<string, string>();

	/**
	 * @param offered what the profiles lookup gives
	 * @param named what a person says of names that the lookup does not have
	 */
	constructor(offered: readonly Shown[], named: ReadonlyArray<{ name: string; profile: string }>) {
		for (const { code, name, type } of offered)
			for (const said of [code, type, name]) this.types.set(folded(textOf(said)), textOf(type));
		for (const { name, profile } of named) this.types.set(folded(name), profile);
	}

	/** Of a profile in a list of classes. Undefined: nobody knows. */
	typeOf(profile: unknown): string | undefined {
		if (!isObject(profile)) return undefined;
		const { id, name } = profile;
		return this.types.get(folded(textOf(name))) ?? this.types.get(folded(textOf(id)));
	}
}

function folded(name: string): string {
	return name.normalize('NFKC').trim().toLowerCase();
}
