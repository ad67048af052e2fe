/** What `npm run hostile` tries, area by area, with counts. */
import { AREAS, LAST } from '../../test/hostile/areas.mts';
import type { Cell } from '../../test/hostile/cell.mts';

import { table } from './table.mts';

export function attacksTable(): string {
	const areas = [...AREAS, LAST];
	const rows = areas.map(({ name, cells }) => [name, cells.map(triedBy).join('; '), counted(sum(cells))]);
	const all = counted(sum(areas.flatMap(({ cells }) => cells)));
	return table(['Area', 'What is tried, and how often', 'Attempts'], [...rows, ['all', '', all]]);
}

const triedBy = ({ tries, attempts, isKnownNotToHold }: Cell) =>
	`${tries}${attempts === 1 ? '' : ` (${counted(attempts)})`}${isKnownNotToHold ? ', **known not to hold**' : ''}`;
const sum = (cells: readonly Cell[]) => cells.reduce((total, { attempts }) => total + attempts, 0);
const counted = (attempts: number) => attempts.toLocaleString('en');
