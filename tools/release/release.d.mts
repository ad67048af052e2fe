export function release(request: { root: string; asked: string | undefined; date: string }): string;
