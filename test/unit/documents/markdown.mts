/** What the tests of the documents read in them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders whose contents are not the project's own. */
const FOREIGN = new Set(['node_modules', 'dist', '.git', '.cache', 'home']);

/** Every file of the project with such an ending, by its path from the root. */
export function filesEndingIn(ending: string, folder = '.'): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		if (entry.isDirectory())
			return FOREIGN.has(entry.name) ? [] : filesEndingIn(ending, join(folder, entry.name));
		return entry.name.endsWith(ending) ? [join(folder, entry.name)] : [];
	});
}

export function textOf(document: string): string {
	return readFileSync(document, 'utf8');
}

/** The document without its fenced blocks: what stands in them is an example. */
export function prose(document: string): string {
	return textOf(document).replace(/^```[\s\S]*?^```$/gm, '');
}

/** What stands in code style within the prose. */
export function inlineCode(document: string): string[] {
	return [...prose(document).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

/** Targets of links and pictures inside the project: the path (empty for the document itself) and the section. */
export function localLinks(document: string): Array<{ path: string; section: string | undefined }> {
	return [...prose(document).matchAll(/\]\(([^)\s]+)\)/g)]
		.map(([, target = '']) => target)
		.filter((target) => !/^(https?:|mailto:)/.test(target))
		.map((target) => {
			const [path = '', section] = target.split('#');
			return { path, section };
		});
}

/** The names under which a browser finds the sections of a document, as GitHub makes them of its headings. */
export function sectionsOf(document: string): string[] {
	const headings = [...prose(document).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
		sectionName(heading),
	);
	return headings.map((name, at) => {
		const before = headings.slice(0, at).filter((other) => other === name).length;
		return before === 0 ? name : `${name}-${before}`;
	});
}

function sectionName(heading: string): string {
	return heading
		.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		.toLowerCase()
		.replace(/[^\p{L}\p{N} _-]/gu, '')
		.replaceAll(' ', '-');
}
