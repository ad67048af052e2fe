/**
 * Ways in which a service may differ where its document is silent, or where its samples are not to be relied upon. Each
 * is switched on by its name. Of two that exclude one another, the first of this list counts.
 */
export const variants = {
	'plain-text-answers':
		'writes whose answer is not shown (user, bond, enrollment) answer `Created` or `OK` as plain text',
	'empty-bodies': 'the same writes answer 200 without a body',
	'location-headers': 'creations (class, user, bond) answer 201 with a `Location` header',
	'doubles-as-400': 'what is there already is refused with 400, not 409 (where `duplicates` is `refuse`)',
	'bare-errors':
		'errors without the `Error` or `Errors` around them: the object itself, or a list of several',
	'numbers-as-text': 'numbers in answers of the API are text: `"year": "2026"`',
	'digits-as-numbers':
		'texts of up to 15 digits that do not begin with 0 are numbers in answers of the API: external ids, telephones',
	'null-refresh-token': 'token answers have `"refresh_token": null`',
	'null-id-token': 'token answers have `"id_token": null`',
	'text-expires-in': 'token answers have `"expires_in": "3600"`',
	'extra-token-members': 'token answers have members that the document does not name',
	'empty-event-texts': 'required texts in the payload of an event are empty, all but the ids',
	'long-event-values':
		'texts and numbers in the payload of an event are longer than their size, all but the ids; `created_at` has milliseconds',
	'wrong-event-kinds':
		'values in the payload of an event are of another kind: lists for texts, texts for numbers and objects',
	'logout-extra-claims': 'logout tokens have `account_id` and `tenant_id`',
	'logout-without-exp': 'logout tokens have no `exp`',
	'logout-without-jti': 'logout tokens have no `jti`',
	'logout-without-events': 'logout tokens have no `events`',
	'logout-without-sub-and-sid': 'logout tokens have neither `sub` nor `sid`',
} as const;

export type Variant = keyof typeof variants;

export const allVariants = Object.keys(variants) as Variant[];
