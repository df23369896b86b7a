import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../schema.ts';

/** Runs `work` in a transaction; inside a running transaction it becomes part of that one. */
export function inTransaction<T>(
  database: Kysely<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  if (database.isTransaction) return work(database as Transaction<Tables>);
  return database.transaction().execute(work);
}
