/** What the service shows of one account: three lookups, and one more for a school that no class has told yet. */
import type { IDataObject } from 'n8n-workflow';

import { readReply } from '../../shared/calls/answer';
import type { Part } from '../../shared/calls/call';
import { getAccount, getClasses, getSchools, getSponsors } from '../../shared/calls/synchronization';
import type { Outcome } from '../../shared/failure';
import type { Send } from '../../shared/transport/send';
import { classKeyOf, type ClassJoin } from '../verifying/classList';
import type { VerifiedAccount } from '../verifying/people';
import { hasResponsible, type Answers } from '../verifying/person';
import { textOf } from '../verifying/shownFields';

type Lookup = typeof getAccount | typeof getSponsors | typeof getClasses | typeof getSchools;

export class AccountLookups {
	/** Schools that were asked for, each once, by the service's own id. */
	private readonly asked = new Map<string, Promise<void>>();

	/** @param schools external ids by the service's own, filled as they become known */
	constructor(
		private readonly send: Send,
		private readonly join: ClassJoin,
		private readonly schools: Map<string, string>,
	) {}

	async of(account: VerifiedAccount): Promise<Answers> {
		const found = await this.lookUp(getAccount, account);
		if (!found.ok) return { status: found.failure.status };
		if (found.value.length === 0) return { account: [] };
		const needsSponsors = account.users.length === 1 && hasResponsible(account.users[0]);
		const [sponsors, classes] = await Promise.all([
			needsSponsors ? this.lookUp(getSponsors, account) : undefined,
			this.lookUp(getClasses, account),
		]);
		if (classes.ok) for (const one of classes.value) await this.learnSchool(one, account);
		return {
			account: found.value,
			...(sponsors?.ok === true && { sponsors: sponsors.value }),
			...(classes.ok && { classes: classes.value }),
		};
	}

	/** A class that the ledger knows by the service's id says the school; of others it has to be asked for. */
	private async learnSchool(shown: IDataObject, account: VerifiedAccount): Promise<void> {
		const id = textOf(shown.school_id);
		if (id === '' || this.schools.has(id) || classKeyOf(shown, this.join) !== undefined) return;
		const known = this.asked.get(id) ?? this.askSchools(account);
		this.asked.set(id, known);
		await known;
	}

	private async askSchools(account: VerifiedAccount): Promise<void> {
		const found = await this.lookUp(getSchools, account);
		for (const { id, external_id: externalId } of found.ok ? found.value : [])
			if (textOf(id) !== '' && textOf(externalId) !== '') this.schools.set(textOf(id), textOf(externalId));
	}

	private async lookUp(
		{ work }: Lookup,
		{ accountId, tenantId }: VerifiedAccount,
	): Promise<Outcome<IDataObject[]>> {
		const { request, answer } = work as Pick<typeof work, 'answer'> & {
			request: (query: object) => Part['request'];
		};
		const reply = await this.send(request({ account_id: accountId, tenant_id: tenantId }));
		return readReply(reply, answer, { simplify: true });
	}
}
