import type { Provider } from 'oidc-provider';
import type { Settings } from '../settings-types.mts';
import { isObject } from '../checks/check-fields.mts';
import { listedScopes, tokenRequests } from '../document/sign-on.mts';
import type { StrictPart } from '../strict.mts';
import type { Variant } from '../variants.mts';

type Middleware = Parameters<Provider['use']>[0];

type Form = Readonly<Record<string, unknown>>;

/** Stands around the provider's token endpoint: refuses what is not shown, and lets the answers vary. */
export function tokenEndpoint(settings: Readonly<Pick<Settings, 'strict' | 'variants'>>): Middleware {
	return async (ctx, next) => {
		if (ctx.path !== '/connect/token' || ctx.method !== 'POST') {
			await next();
			return;
		}
		const { body } = ctx.req as typeof ctx.req & { body?: unknown };
		const refusal = strictRefusal(isObject(body) ? body : {}, settings.strict);
		if (refusal !== undefined) {
			ctx.status = 400;
			ctx.body = { error: 'invalid_request', error_description: refusal };
			return;
		}
		await next();
		if (ctx.status === 200 && isObject(ctx.body)) ctx.body = variedTokens(ctx.body, settings.variants);
	};
}

/** What the row of the grant does not show, in one sentence. */
function strictRefusal(form: Form, strict: readonly StrictPart[]): string | undefined {
	const row =
		typeof form.grant_type === 'string' && Object.hasOwn(tokenRequests, form.grant_type)
			? tokenRequests[form.grant_type]
			: undefined;
	// Another grant is the provider's to refuse.
	if (!row) return undefined;
	const unknown = Object.keys(form).find((name) => !row.fields.includes(name));
	if (unknown !== undefined && strict.includes('members'))
		return `The field "${unknown}" is not shown for this grant.`;
	return row.needsScope && strict.includes('scope') && !hasListedScopes(form.scope)
		? `scope must have ${listedScopes.join(', ')}.`
		: undefined;
}

function hasListedScopes(scope: unknown): boolean {
	const given = typeof scope === 'string' ? scope.split(' ') : [];
	return listedScopes.every((one) => given.includes(one));
}

function variedTokens(
	tokens: Record<string, unknown>,
	variants: readonly Variant[],
): Record<string, unknown> {
	const isOn = (variant: Variant): boolean => variants.includes(variant);
	return {
		...tokens,
		...(isOn('null-refresh-token') ? { refresh_token: null } : {}),
		...(isOn('null-id-token') ? { id_token: null } : {}),
		...(isOn('text-expires-in') ? { expires_in: String(tokens.expires_in) } : {}),
		...(isOn('extra-token-members')
			? { refresh_expires_in: 1800, 'not-before-policy': 0, session_state: null, user: { roles: [] } }
			: {}),
	};
}
