import { type Kysely, sql, type Transaction } from 'kysely';
import { inTransaction } from '../../sqlite/in-transaction.ts';
import type { Tables } from '../../schema.ts';

/** The page cache of the database, as SQLite sets it, and while a whole history is read (KiB). */
const usualCacheKiB = 2_000;
const largeCacheKiB = 128 * 1024;

/** Runs `work`, which adds many entries, in one transaction. */
export const inBulk = <T>(database: Kysely<Tables>, work: (transaction: Transaction<Tables>) => Promise<T>) =>
  inTransaction(database, async (transaction) => {
    // The ids are random: with a small cache, each new entry writes a page of their index to the disk.
    await sql`pragma cache_size = ${sql.lit(-largeCacheKiB)}`.execute(transaction);
    try {
      return await work(transaction);
    } finally {
      await sql`pragma cache_size = ${sql.lit(-usualCacheKiB)}`.execute(transaction);
    }
  });
