export function changelogProblem(text: string): string | undefined;
export function releasedChangelog(text: string, version: string, date: string): string;
export function isInChangelog(text: string, version: string): boolean;
