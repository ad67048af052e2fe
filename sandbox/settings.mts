import type { Settings } from './settings-types.mts';
import { isObject } from './checks/check-fields.mts';
import { allStrictParts } from './strict.mts';
import { allVariants } from './variants.mts';

/** What can be changed while the sandbox runs, as it is when nothing is said. */
export const defaultSettings: Settings = {
	tokenLifetime: 3600,
	latencyMs: 0,
	connectionLatencyMs: 0,
	rate: null,
	capacity: null,
	deviations: true,
	duplicates: 'refuse',
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

const isNumberFrom = (least: number, value: unknown, most = Infinity): value is number =>
	typeof value === 'number' && value >= least && value <= most;
const isWholeFrom = (least: number, value: unknown): value is number =>
	Number.isInteger(value) && Number(value) >= least;
const isMilliseconds = (value: unknown): value is number => isNumberFrom(0, value, 600_000);
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const isOneOf =
	<Word,>(words: readonly Word[]) =>
	(value: unknown): value is Word =>
		words.includes(value as Word);
const isListOf =
	<Word,>(words: readonly Word[]) =>
	(value: unknown): value is Word[] =>
		Array.isArray(value) && value.every(isOneOf(words));

/** An object of these members and no others; each holds, or is left out when the check says that undefined does. */
const isMadeOf = (value: unknown, checks: Record<string, (member: unknown) => boolean>): boolean =>
	isObject(value) &&
	Object.keys(value).every((name) => Object.hasOwn(checks, name)) &&
	Object.entries(checks).every(([name, holds]) => holds(value[name]));

const isRate = (value: unknown): value is Settings['rate'] =>
	value === null ||
	isMadeOf(value, {
		perSecond: (member) => isNumberFrom(0.001, member, 1_000_000),
		burst: (member) => member === undefined || isWholeFrom(1, member),
		retryAfter: (member) => member === undefined || member === null || isWholeFrom(0, member),
	});

const isCapacity = (value: unknown): value is Settings['capacity'] =>
	value === null ||
	isMadeOf(value, {
		atOnce: (member) => isWholeFrom(1, member),
		workMs: (member) => member === undefined || isMilliseconds(member),
		queue: (member) => member === undefined || isWholeFrom(0, member),
	});

const checks: { [Name in keyof Settings]: (value: unknown) => value is Settings[Name] } = {
	tokenLifetime: (value): value is number => isWholeFrom(1, value),
	latencyMs: isMilliseconds,
	connectionLatencyMs: isMilliseconds,
	rate: isRate,
	capacity: isCapacity,
	deviations: isFlag,
	duplicates: isOneOf<Settings['duplicates']>(['refuse', 'accept']),
	authorization: isOneOf<Settings['authorization']>(['bearer', 'token', 'either']),
	strict: isListOf(allStrictParts),
	variants: isListOf(allVariants),
	codeLifetime: (value): value is number => isWholeFrom(1, value),
	rotateRefreshTokens: isFlag,
};

/** The change that a body asks for. Throws a sentence when a name is not known or a value does not fit. */
export function readSettings(body: unknown): Partial<Settings> {
	if (!isObject(body)) throw new Error('The settings must be an object.');
	for (const [name, value] of Object.entries(body)) {
		const fits = Object.hasOwn(checks, name) ? checks[name as keyof Settings] : undefined;
		if (!fits) throw new Error(`There is no setting "${name}". There is: ${settingNames.join(', ')}.`);
		if (!fits(value)) throw new Error(`The value of "${name}" does not fit.`);
	}
	return body;
}

/** Name and value of each setting, as a person reads them. */
export function shownSettings(settings: Settings): Array<[string, string]> {
	return settingNames.map((name) => [name, shownValue(settings[name])]);
}

function shownValue(value: Settings[keyof Settings]): string {
	if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
	if (Array.isArray(value)) return value.join(', ');
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
