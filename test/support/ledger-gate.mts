/** Holds one statement on a ledger in PostgreSQL in its middle: a test can end n8n there, or look what others do meanwhile. */
import { until } from '../../playground/eventually.mts';
import type { LedgerDatabase } from './ledger-database.mts';

const TABLE = 'school_partner_roster';

export class LedgerGate {
	private constructor(
		private readonly database: LedgerDatabase,
		private readonly lock: number,
	) {}

	/**
	 * @param lock a number of its own for each gate
	 * @param event such as `insert`, and what must be so of `new` and `old`
	 */
	static async close(
		database: LedgerDatabase,
		lock: number,
		[event, condition]: readonly ['insert' | 'update' | 'delete', string],
	): Promise<LedgerGate> {
		await database.rows(`select pg_advisory_lock(${lock})`);
		await database.rows(`create or replace function gate_${lock}() returns trigger language plpgsql as $$ begin
			perform pg_advisory_xact_lock_shared(${lock});
			if tg_op = 'DELETE' then return old; end if;
			return new;
		end $$`);
		await database.rows(`create trigger gate_${lock} before ${event} on ${TABLE}
			for each row when (${condition}) execute function gate_${lock}()`);
		return new LedgerGate(database, lock);
	}

	/** Resolves when a statement has come to the gate. */
	async reached(): Promise<void> {
		const waiting = `select 1 from pg_locks where locktype = 'advisory' and objid = ${this.lock} and not granted`;
		await until(async () => (await this.database.rows(waiting)).length > 0);
	}

	/**
	 * Lets the statement go on to its end, whether anybody still waits for it or not, and all that come later. Trap: dropping the trigger would wait for
	 * every other gate of the table.
	 */
	async open(): Promise<void> {
		await this.database.rows(`select pg_advisory_unlock(${this.lock})`);
	}
}
