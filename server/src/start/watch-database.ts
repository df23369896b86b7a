import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';

/** Interval for checking the database file and refilling its reserve. */
const checkMs = 10_000;
/** Time until the first check, which writes a megabyte and flushes it: the first responses need not wait for that. */
const firstCheckMs = 1_000;

/**
 * Logs when the file of a running server's database is removed or replaced, and when it is back; refills the
 * reserve for a full disk. Returns a function that stops it.
 */
export function watchDatabase(
  database: Pick<Database, 'loss' | 'refillReserve'>,
  log: Pick<FastifyBaseLogger, 'error' | 'info' | 'warn'>,
  clock: Clock,
): () => Promise<void> {
  let known: ReturnType<Database['loss']> = null;
  const check = (): void => {
    try {
      const loss = database.loss();
      if (loss !== known) {
        known = loss;
        if (loss === null) log.info('the database file is back');
        else
          log.error(
            { loss },
            `the database file was ${loss}: changes are refused until it is back or the server restarts`,
          );
      }
      if (loss === null) database.refillReserve();
    } catch (error) {
      log.warn({ err: error }, 'no disk space could be reserved for the database');
    }
  };
  const stops = [clock.after(firstCheckMs, check), clock.every(checkMs, check)];
  return async () => stops.forEach((stop) => stop());
}
