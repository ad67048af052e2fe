import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { Variant } from '../variants.mts';

/** The claims that a variant leaves out. */
const left: Partial<Record<Variant, readonly string[]>> = {
	'logout-without-exp': ['exp'],
	'logout-without-jti': ['jti'],
	'logout-without-events': ['events'],
	'logout-without-sub-and-sid': ['sub', 'sid'],
};

export interface LogoutVariation {
	readonly variants: () => readonly Variant[];
	readonly tenantId: () => string;
	/** Signs with the issuer's own key. */
	readonly sign: (claims: Record<string, unknown>, header: Record<string, unknown>) => Promise<string>;
}

/** A logout token with the claims that the variants make of it, signed anew; the same token when none is on. */
export async function variedLogoutToken(
	token: string,
	{ variants, tenantId, sign }: LogoutVariation,
): Promise<string> {
	const on = variants().filter((variant) => variant.startsWith('logout-'));
	if (on.length === 0) return token;
	const { typ } = decodeProtectedHeader(token);
	const claims = decodeJwt(token);
	const extra = on.includes('logout-extra-claims') ? { account_id: claims.sub, tenant_id: tenantId() } : {};
	const without = new Set(on.flatMap((variant) => left[variant] ?? []));
	const kept = Object.entries({ ...claims, ...extra }).filter(([name]) => !without.has(name));
	return await sign(Object.fromEntries(kept), { typ });
}
