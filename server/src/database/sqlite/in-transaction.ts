import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../schema.ts';

/** Does `work` as a whole or not at all; inside a transaction that has begun it becomes a part of that one. */
export function inTransaction<T>(
  database: Kysely<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  if (database.isTransaction) return work(database as Transaction<Tables>);
  return database.transaction().execute(work);
}
