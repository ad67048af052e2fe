export function whatIsInTheWay(stdout: string, stderr: string): string;
