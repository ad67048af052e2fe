interface LockedPackage {
	version?: string;
	optional?: boolean;
	devOptional?: boolean;
	extraneous?: boolean;
}

export function lockfilesAgree(
	wanted: Record<string, LockedPackage>,
	installed: Record<string, LockedPackage>,
): boolean;
export function isInstalled(folder: string): boolean;
