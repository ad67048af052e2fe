import express, { type Request, type Router } from 'express';
import type { SandboxParts } from '../sandbox.mts';
import { findUser } from '../events/access.mts';
import { addBond, bondOf, changeClass, changePerson, changeResponsibles, classIn } from '../world/drift.mts';
import { read } from './read.mts';

/** What changes in the service behind the partner's back: by hand, or by a fault of the service. */
export function driftRoutes({ world, faults, access }: SandboxParts): Router {
	const router = express.Router();
	const on = (what: string, drift: (body: unknown) => void): void =>
		void router.post(`/drift/${what}`, (req: Request, res) => {
			drift(req.body);
			res.status(204).end();
		});
	on('change', (body) => {
		const { field, value, ...person } = read.drift.changedPerson(body);
		changePerson(findUser(world(), person), field, value);
	});
	on('change-class', (body) => {
		const { field, value, schoolExternalId, classExternalId } = read.drift.changedClass(body);
		changeClass(classIn(world(), schoolExternalId, classExternalId), field, value);
	});
	on('add-bond', (body) => {
		const { classExternalId, profile, ...person } = read.drift.newBond(body);
		addBond(world(), findUser(world(), person), { classExternalId, profile });
	});
	on('drop-bond', (body) => {
		const { classExternalId, profile, ...person } = read.drift.bond(body);
		world().deleteBond(bondOf(findUser(world(), person), { classExternalId, profile }));
	});
	on('responsibles', (body) => {
		const { responsibleExternalIds, ...person } = read.drift.responsibles(body);
		const responsibles = responsibleExternalIds.map((externalId) => findUser(world(), { externalId }));
		changeResponsibles(findUser(world(), person), responsibles);
	});
	on('remove', (body) => world().removeUser(findUser(world(), read.drift.person(body))));
	on('answer', (body) => {
		const { status, ...person } = read.drift.answer(body);
		const { accountId } = findUser(world(), person);
		const pathPattern = `^/sync/v1/(accounts|schools)/${accountId}(/|$)`;
		faults.add({ match: { pathPattern }, fault: status === 204 ? { status } : { documented: status } });
	});
	on('hide-classes', (body) => {
		world().hiddenClasses = read.drift.hiddenClasses(body);
	});
	on('revoke', (body) => access.revokeWithoutEvent(read.drift.person(body)));
	return router;
}
