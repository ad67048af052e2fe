/** Mobile numbers. A dialing code is taken off only where it is unmistakable: after a plus sign. */

/** Dialing codes (ITU-T E.164) of one and two digits; all others have three. No code begins another. */
const SHORT_CODES = /^(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** `ddi` and `cell_phone` of a number as it stands in a file. */
export function phoneOf(cell: string): { ddi?: string; cell_phone?: string } {
	if (cell === '') return {};
	const digits = cell.replace(/[\s().-]/g, '');
	if (!/^\+\d{7,15}$/.test(digits)) return { cell_phone: cell };
	const ddi = SHORT_CODES.exec(digits.slice(1))?.[0] ?? digits.slice(1, 4);
	return { ddi, cell_phone: digits.slice(1 + ddi.length) };
}
