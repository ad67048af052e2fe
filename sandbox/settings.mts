import type { Settings } from './settings-types.mts';

/** What can be changed while the sandbox runs, as it is when nothing is said. */
export const defaultSettings: Settings = {
	tokenLifetime: 3600,
	latencyMs: 0,
	connectionLatencyMs: 0,
	rate: null,
	capacity: null,
	deviations: true,
	duplicates: 'refuse',
	accounts: null,
	authorization: 'either',
	strict: [],
	variants: [],
	codeLifetime: 300,
	rotateRefreshTokens: false,
};

export const settingNames = Object.keys(defaultSettings) as Array<keyof Settings>;

/** The settings among the options of a start. */
export function settingsOf(options: Settings): Settings {
	return Object.fromEntries(settingNames.map((name) => [name, options[name]])) as unknown as Settings;
}

/** Name and value of each setting, as a person reads them. */
export function shownSettings(settings: Settings): Array<[string, string]> {
	return settingNames.map((name) => [name, shownValue(settings[name])]);
}

/** The value of a setting, as a person reads it. */
export function shownValue(value: Settings[keyof Settings]): string {
	if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
	if (Array.isArray(value)) return value.join(', ');
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
