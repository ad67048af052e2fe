export function candidates(versions: string[], pinned: string): string[];
export function dayAfterwards(publishedAt: string): string;
export function nodeInTheWay(wanted: string | undefined, pinned: string): string | undefined;
