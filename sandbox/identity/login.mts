import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendText } from '../http/answer.mts';
import { exchangeOf } from '../http/exchange.mts';
import type { Store } from '../world/store.mts';
import type { Issuer } from './issuer.mts';
import { errorPage, loginPage, type LoginPerson } from './pages.mts';

const SHOWN_OF_A_PROFILE = 3;

/** The login screen of an authorization request: shows it, and takes what is typed or picked. */
export async function serveLogin(issuer: Issuer, req: IncomingMessage, res: ServerResponse): Promise<void> {
	try {
		// The provider checks that this browser is the one whose authorization request it is.
		await issuer.provider.interactionDetails(req, res);
	} catch {
		return sendText(
			res,
			400,
			HTML,
			errorPage({ message: 'This login is not yours, or it has ended. Start again at the application.' }),
		);
	}
	const { body } = exchangeOf(req);
	if (req.method !== 'POST' || body.kind !== 'form') return showLogin(issuer, res);
	const { login, password, as: picked, cancel } = body.value;
	if (cancel !== undefined) {
		const refusal = { error: 'access_denied', error_description: 'The user cancelled the login.' };
		return await issuer.provider.interactionFinished(req, res, refusal);
	}
	const user = issuer.options.world().userByLogin(String(picked ?? login ?? ''));
	if (!user || (picked === undefined && password !== user.login)) {
		return showLogin(issuer, res, 'Login or password is not right.');
	}
	await issuer.provider.interactionFinished(
		req,
		res,
		{ login: { accountId: user.accountId, remember: true } },
		{ mergeWithLastSubmission: false },
	);
}

const HTML = 'text/html; charset=utf-8';

function showLogin({ options }: Issuer, res: ServerResponse, problem?: string): void {
	const people = somePeople(options.world());
	sendText(
		res,
		problem === undefined ? 200 : 401,
		HTML,
		loginPage(options.registration.applicationName, people, problem),
	);
}

function somePeople(world: Store): LoginPerson[] {
	const shown: LoginPerson[] = [];
	for (const { login, firstName, lastName, profiles } of world.users.values()) {
		const [profile] = profiles;
		if (shown.filter((one) => one.profile === profile).length >= SHOWN_OF_A_PROFILE) continue;
		if (shown.some((one) => one.login === login)) continue;
		shown.push({ login, name: `${firstName} ${lastName}`, profile });
		if (shown.length >= 4 * SHOWN_OF_A_PROFILE) break;
	}
	return shown;
}
