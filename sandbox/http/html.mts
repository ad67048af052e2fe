/** Text as it may stand in HTML, in attributes too. */
export const escapeHtml = (value: unknown): string =>
	String(value).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
