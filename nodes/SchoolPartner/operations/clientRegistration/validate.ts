import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import * as z from 'zod/v4-mini';

import { mustBe } from '../../../shared/contract/blocks';
import { success } from '../../../shared/failure';
import { defineOperation } from '../../framework/operation';
import type { LogoFile } from '../../registration/logos';
import { addressesIn } from '../../registration/registeredAddress';
import { checkRegistration } from '../../registration/registration';

import { registrationFields } from './fields';

/** Whatever is wrong with a value is a finding of the report, not a refusal: so every text is let through. */
const anyText = z.pipe(
	z.transform((value: unknown) => (typeof value === 'string' ? value.trim() : (value ?? '')) as string),
	z.string({ error: mustBe('text') }),
);

/** A list, or a text that holds one. */
const listOf = (entriesIn: (text: string) => string[]) =>
	z.pipe(
		z.transform((value: unknown) => {
			const entries: unknown = typeof value === 'string' ? entriesIn(value) : (value ?? []);
			if (!Array.isArray(entries)) return entries;
			return entries
				.map((entry: unknown) => (typeof entry === 'string' ? entry.trim() : entry))
				.filter((entry) => entry !== '');
		}),
		z.array(z.string({ error: mustBe('text') }), { error: mustBe('a list of texts') }),
	);

const addresses = listOf(addressesIn);

const registrationForm = z.object({
	application_name: anyText,
	application_description: anyText,
	logo_svg_field: anyText,
	logo_png_field: anyText,
	main_color: anyText,
	access_profiles: listOf((text) => text.split(/[,\n]/)),
	redirect_uris: addresses,
	default_redirect_uri: anyText,
	post_logout_redirect_uris: addresses,
	logout_uri: anyText,
	logout_channel: anyText,
	public_key_exchanged: z.boolean({ error: mustBe('true or false') }),
});

const finding = z.object({ field: z.string(), message: z.string(), next_step: z.string() });

/** The file under that field of the item; nothing when there is none. */
async function fileOf(
	context: IExecuteFunctions,
	item: number,
	field: string,
): Promise<LogoFile | undefined> {
	const file = context.getInputData()[item].binary?.[field];
	if (file === undefined) return undefined;
	return { name: file.fileName ?? '', content: await context.helpers.getBinaryDataBuffer(item, field) };
}

export const validate = defineOperation({
	name: 'validate',
	label: 'Validate',
	action: 'Validate client registration',
	description:
		'Check a client registration by every rule of the service, and get the summary to hand to its operator',
	effect: 'local',
	fields: registrationFields,
	contract: registrationForm,
	output: z.object({
		valid: z.boolean(),
		findings: z.array(finding),
		warnings: z.array(finding),
		dossier: z.nullable(z.looseObject({})),
	}),
	work: {
		kind: 'own',
		perform: async (form, { context, item }) => {
			const report = checkRegistration({
				applicationName: form.application_name,
				applicationDescription: form.application_description,
				mainColor: form.main_color,
				accessProfiles: form.access_profiles,
				redirectUris: form.redirect_uris,
				defaultRedirectUri: form.default_redirect_uri,
				postLogoutRedirectUris: form.post_logout_redirect_uris,
				logoutUri: form.logout_uri,
				logoutChannel: form.logout_channel,
				publicKeyExchanged: form.public_key_exchanged,
				logoSvg: await fileOf(context, item, form.logo_svg_field),
				logoPng: await fileOf(context, item, form.logo_png_field),
			});
			const listed = (findings: typeof report.findings) =>
				findings.map(({ field, message, description }) => ({ field, message, next_step: description }));
			return success({
				valid: report.valid,
				findings: listed(report.findings),
				warnings: listed(report.warnings),
				dossier: report.dossier as IDataObject | null,
			});
		},
	},
});
