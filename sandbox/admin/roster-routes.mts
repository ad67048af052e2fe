import { buffer } from 'node:stream/consumers';
import express, { type Request, type Router } from 'express';
import { exportRoster, exportSheet, rosterFormats } from '../roster/export.mts';
import { rosterMapping } from '../roster/mapping.mts';
import type { RosterFormat, RosterQuery } from '../roster-types.mts';
import type { SandboxParts } from '../sandbox.mts';
import { rosterQuery } from './queries.mts';

/** The network as a roster: the zip of a night, its students as a sheet, the list of what changed, and the mapping that fits. */
export function rosterRoutes({ size }: SandboxParts): Router {
	const router = express.Router();
	const queryOf = (req: Request): Required<RosterQuery> => {
		const { seed, students, schools } = size();
		return { seed, students, schools, tonight: 0, ...rosterQuery(req.query) };
	};
	router.get('/roster', async (req, res) => {
		const { fileName, zip } = exportRoster(queryOf(req), formatOf(req.query.format));
		// As a whole: a zip that broke in the middle would look like one that was sent.
		res.attachment(fileName).send(await buffer(zip()));
	});
	router.get('/roster/changes', (req, res) => void res.json(exportRoster(queryOf(req), 'sds').changes));
	router.get('/roster/sheet', (req, res) => {
		res.attachment('alunos.csv').send(exportSheet(queryOf(req)));
	});
	router.get('/roster/mapping', (_req, res) => void res.json(rosterMapping));
	return router;
}

function formatOf(given: Request['query'][string]): RosterFormat {
	const format = rosterFormats.find((known) => known === given);
	if (format === undefined) throw new Error(`"format" must be one of these: ${rosterFormats.join(', ')}.`);
	return format;
}
