import { statSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { diskSpaceOf } from '../disk-space.ts';
import { AppError } from '../errors.ts';
import type { SqliteConnection } from './sqlite/open-sqlite.ts';

/** Bytes reserved in the database file, and the same number in its write-ahead log. */
const reserveBytes = 1024 * 1024;
/** The reserve is refilled below this fraction of its size. */
const refillFraction = 0.75;
/** The reserve is kept for sign-ins below this fraction of its size. */
const sessionFraction = 0.5;
/** Free disk space in bytes from which the reserve can be refilled. */
const refillableBytes = 2 * reserveBytes;
/**
 * Free disk space in bytes below which the write-ahead log is reused from its beginning before each
 * transaction.
 */
const tightBytes = 8 * reserveBytes;

const reserveTable = 'filestead_reserve';

const numberOf = (connection: SqliteConnection, pragma: string): number =>
  Number(Object.values(connection.prepare(`PRAGMA ${pragma}`).all()[0] ?? {})[0] ?? 0);

/**
 * Lets a database continue writing on a full disk: small changes, such as sign-ins, use spare pages of the
 * file and a write-ahead log that already has its full size.
 */
export interface DiskReserve {
  /** Returns the free bytes of the disk that contains the database; Infinity if unknown. */
  freeBytes(): number;
  /**
   * Must be called before a change, outside a transaction. On a nearly full disk it empties the write-ahead
   * log for reuse.
   */
  prepareChange(): void;
  /**
   * Must be called before `bytes` are added that are not needed for signing in. On a full disk it throws
   * `storage_full` if more than half of the reserve would be used, so that sign-ins have the other half.
   */
  assertRoom(bytes: number): void;
  /**
   * Refills the reserve if the disk has enough space. Blocks for some milliseconds if there is something to
   * do.
   */
  refill(): void;
}

/** Creates the reserve of the database at `path`. */
export function openDiskReserve(connection: SqliteConnection, path: string): DiskReserve {
  const folder = dirname(path);
  const freeBytes = (): number => {
    try {
      return diskSpaceOf(statfsSync(folder)).free;
    } catch {
      return Infinity;
    }
  };
  const checkpoint = (): void => {
    connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
  };
  const spareBytes = (): number => numberOf(connection, 'freelist_count') * numberOf(connection, 'page_size');
  return {
    freeBytes,
    assertRoom(bytes) {
      if (freeBytes() >= refillableBytes || spareBytes() - bytes >= reserveBytes * sessionFraction) return;
      throw new AppError('storage_full', 'the disk of the database is full');
    },
    prepareChange() {
      if (freeBytes() >= tightBytes) return;
      try {
        checkpoint();
      } catch {
        // The change itself reports the error.
      }
    },
    refill() {
      const logBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
      if (Math.min(spareBytes(), logBytes) >= reserveBytes * refillFraction) return;
      if (freeBytes() < refillableBytes) return;
      // Written to the log and checkpointed into the file, so that both have the reserved size; the pages
      // are then freed inside the file.
      connection.exec(`drop table if exists ${reserveTable}`);
      connection.exec(`create table ${reserveTable} (content blob)`);
      connection.exec(`insert into ${reserveTable} values (zeroblob(${reserveBytes}))`);
      checkpoint();
      connection.exec(`drop table ${reserveTable}`);
      checkpoint();
    },
  };
}
