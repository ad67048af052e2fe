type Find = (name: string) => string | undefined;

export function findOnPath(name: string, path?: string): string | undefined;
export function nodeProblem(version?: string): string | undefined;
export function compilerProblem(find?: Find): string | undefined;
export function portProblem(port: number, what: string, option: string): Promise<string | undefined>;
export function demand(problems: Array<string | undefined>): void;
