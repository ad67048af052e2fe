import { escapeHtml } from '../http/html.mts';

/** A value with a button beside it that copies it. */
export interface Copyable {
	readonly copy: string;
	/** What the button is for; the value itself, if nothing is said. */
	readonly name?: string;
}

const isCopyable = (cell: unknown): cell is Copyable =>
	typeof cell === 'object' && cell !== null && 'copy' in cell;

const content = (cell: unknown): string =>
	isCopyable(cell)
		? `${escapeHtml(cell.copy)} <button type="button" data-copy="${escapeHtml(cell.copy)}" aria-label="Copy ${escapeHtml(cell.name ?? cell.copy)}">Copy</button>`
		: escapeHtml(cell);

const row = (cells: readonly string[]): string => `<tr>${cells.join('')}</tr>`;

/** An HTML table; what stands in the cells is text. */
export function table(head: readonly string[], rows: ReadonlyArray<readonly unknown[]>): string {
	const heads = head.map((cell) => `<th scope="col">${escapeHtml(cell)}</th>`);
	const body = rows.map((cells) => row(cells.map((cell) => `<td>${content(cell)}</td>`)));
	return `<table><thead>${row(heads)}</thead><tbody>${body.join('')}</tbody></table>`;
}

/** Where it is said what came of a form. */
export const status = '<output role="status"></output>';
