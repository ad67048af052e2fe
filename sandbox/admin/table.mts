import { escapeHtml } from '../http/html.mts';

const row = (cells: readonly unknown[], tag: 'td' | 'th' = 'td'): string =>
	`<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;

/** An HTML table; what stands in the cells is text. */
export const table = (head: readonly string[], rows: ReadonlyArray<readonly unknown[]>): string =>
	`<table><thead>${row(head, 'th')}</thead><tbody>${rows.map((cells) => row(cells)).join('')}</tbody></table>`;
