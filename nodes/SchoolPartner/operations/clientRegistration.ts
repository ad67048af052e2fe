import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import * as z from 'zod/v4-mini';

import { choiceField, switchField, textFields } from '../../shared/actions/properties';
import { success } from '../../shared/failure';
import { defineOperation, defineResource } from '../framework/operation';
import type { LogoFile } from '../registration/logos';
import {
	checkRegistration,
	LONGEST_APPLICATION_DESCRIPTION,
	LONGEST_APPLICATION_NAME,
	registrationForm,
} from '../registration/registration';

const FILE_HINT = 'The name of the input field that holds the file';

/** In the order of the document's table. */
const fields = {
	...textFields({
		application_name: {
			required: true,
			placeholder: 'e.g. Reading Club',
			description: `The short name that users see, at most ${LONGEST_APPLICATION_NAME} characters`,
		},
		application_description: {
			required: true,
			placeholder: 'e.g. Books for every class',
			description: `What the application is for, at most ${LONGEST_APPLICATION_DESCRIPTION} characters`,
		},
		logo_svg_field: {
			displayName: 'SVG Logo Field',
			required: true,
			default: 'logoSvg',
			hint: FILE_HINT,
			description: 'The vector logo: 128x128 pixels, transparent background, named product.svg',
		},
		logo_png_field: {
			displayName: 'PNG Logo Field',
			required: true,
			default: 'logoPng',
			hint: FILE_HINT,
			description: 'The raster logo: 32x32 pixels, transparent background, named product_32x32.png',
		},
		main_color: {
			type: 'color',
			required: true,
			// n8n shows no placeholder in a field for colors.
			hint: 'As #RRGGBB, for example #1A73E8',
			description: 'The main color of the application',
		},
	}),
	access_profiles: choiceField({
		name: 'accessProfiles',
		type: 'multiOptions',
		choices: { coordinator: '', educator: '', responsible: '', student: '' },
		required: true,
		default: [],
		description:
			'The profiles that give access to the application. Others can be given as a list with an expression.',
	}),
	...textFields({
		redirect_uris: {
			typeOptions: { rows: 3 },
			required: true,
			placeholder: 'e.g. https://app.example/callback, my-app://callback',
			description:
				'Web addresses or deep links that users come back to after login, separated by commas or lines',
		},
		default_redirect_uri: {
			required: true,
			placeholder: 'e.g. https://app.example/callback',
			description: "One of those in 'Redirect URIs'",
		},
		post_logout_redirect_uris: {
			typeOptions: { rows: 2 },
			placeholder: 'e.g. https://app.example/bye',
			description:
				'Addresses that users come back to after logout, separated by commas or lines. None: they land on the login screen of the platform.',
		},
		logout_uri: {
			required: true,
			placeholder: 'e.g. https://flows.example/webhook/6b0c/logout',
			description:
				'The one address that the service calls when a session ends: the production URL of a School Partner Logout Trigger',
		},
	}),
	logout_channel: choiceField({
		name: 'logoutChannel',
		choices: {
			back: { name: 'Back Channel', description: 'The service calls the address itself' },
			front: { name: 'Front Channel', description: 'The browser of the user loads the address' },
		},
		default: 'back',
		description: "How the service calls the 'Logout URI': exactly one channel",
	}),
	public_key_exchanged: switchField({
		name: 'publicKeyExchanged',
		default: false,
		description:
			'Whether the public key for sensitive data has been shared with the operator by SSH key exchange',
	}),
};

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

const validate = defineOperation({
	name: 'validate',
	action: 'Validate client registration',
	description:
		'Check a client registration by every rule of the service, and get the summary to hand to its operator',
	effect: 'local',
	fields,
	contract: registrationForm,
	output: z.object({
		valid: z.boolean(),
		findings: z.array(findingSchema),
		warnings: z.array(findingSchema),
		dossier: z.nullable(z.looseObject({})),
	}),
	perform: async ({ logo_svg_field, logo_png_field, ...form }, { context, item }) => {
		const logoSvg = await fileOf(context, item, logo_svg_field);
		const logoPng = await fileOf(context, item, logo_png_field);
		return success(checkRegistration({ ...form, logoSvg, logoPng }) as unknown as IDataObject);
	},
});

export const clientRegistration = defineResource({
	name: 'clientRegistration',
	description: 'The registration of an application for sign-on',
	credential: undefined,
	operations: [validate],
});
