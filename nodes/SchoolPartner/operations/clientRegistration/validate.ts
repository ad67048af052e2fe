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
const listOrText = (entriesIn: (text: string) => string[]) =>
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

const addresses = listOrText(addressesIn);

const registrationForm = z.object({
	application_name: anyText,
	application_description: anyText,
	logo_svg_field: anyText,
	logo_png_field: anyText,
	main_color: anyText,
	access_profiles: listOrText((text) => text.split(/[,\n]/)),
	redirect_uris: addresses,
	default_redirect_uri: anyText,
	post_logout_redirect_uris: addresses,
	logout_uri: anyText,
	logout_channel: anyText,
	public_key_exchanged: z.boolean({ error: mustBe('true or false') }),
});

const findingSchema = z.object({ field: z.string(), message: z.string(), next_step: z.string() });

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
		findings: z.array(findingSchema),
		warnings: z.array(findingSchema),
		dossier: z.nullable(z.looseObject({})),
	}),
	work: {
		kind: 'own',
		perform: async ({ logo_svg_field, logo_png_field, ...form }, { context, item }) => {
			const logoSvg = await fileOf(context, item, logo_svg_field);
			const logoPng = await fileOf(context, item, logo_png_field);
			return success(checkRegistration({ ...form, logoSvg, logoPng }) as unknown as IDataObject);
		},
	},
});
