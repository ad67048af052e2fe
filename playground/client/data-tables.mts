/** n8n's data tables, as its editor reads them. */
import type { IDataObject } from 'n8n-workflow';
import type { Session } from './session.mts';

interface Listed {
	id: string;
	name: string;
	projectId: string;
}

/** The most that n8n gives at once, whatever is asked for; 2.4.8 gives 50. */
const PAGE = 250;

/** The address of a table below `/rest`; undefined when there is none of this name. */
export async function tablePath(session: Session, name: string): Promise<string | undefined> {
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const { data } = await session.request<{ data: Listed[] }>(
		'GET',
		`/data-tables-global?filter=${filter}&take=${PAGE}`,
	);
	const table = data.find((listed) => listed.name === name);
	return table && `/projects/${table.projectId}/data-tables/${table.id}`;
}

/** All rows of a table, oldest first; none when there is no table of this name. */
export async function tableRows(session: Session, name: string): Promise<IDataObject[]> {
	const path = await tablePath(session, name);
	const rows: IDataObject[] = [];
	while (path !== undefined) {
		const page = await session.request<{ count: number; data: IDataObject[] }>(
			'GET',
			`${path}/rows?take=${PAGE}&skip=${rows.length}&sortBy=id:asc`,
		);
		rows.push(...page.data);
		if (rows.length >= page.count) break;
	}
	return rows;
}

/** Removes a table with all its rows, if it is there. */
export async function deleteDataTable(session: Session, name: string): Promise<void> {
	const path = await tablePath(session, name);
	if (path !== undefined) await session.request('DELETE', path);
}
