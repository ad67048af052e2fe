/** Tables of Markdown. Pure. */

/** A table with a head; a `|` in a cell does not end the cell. */
export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
	return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}

/** A name as it is written in a document: in code style. */
export function code(name: string): string {
	return `\`${name}\``;
}

function line(cells: readonly string[]): string {
	return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
