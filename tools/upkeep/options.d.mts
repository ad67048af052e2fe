export const helpText: string;
export function readOptions(args: string[]): {
	run: boolean;
	write: boolean;
	version?: string;
	help: boolean;
};
