/** Adds one to the list of this name, which is made where there is none. */
export function addTo<Each>(lists: Map<string, Each[]>, name: string, one: Each): void {
	const known = lists.get(name);
	if (known === undefined) lists.set(name, [one]);
	else known.push(one);
}
