import type { INodeProperties } from 'n8n-workflow';

/** A name of the service that is picked from a list or typed; saved workflows may also hold it as plain text. */
export function pickedOrTyped(
	property: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
	searchListMethod: string,
	choose: string,
	example: string,
): INodeProperties {
	return {
		...property,
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: choose,
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'By Name', name: 'name', type: 'string', placeholder: example },
		],
	};
}
