import { statSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SqliteConnection } from './sqlite/open-sqlite.ts';

/** Bytes reserved in the database file, and the same number in its write-ahead log. */
const reserveBytes = 1024 * 1024;
/** The reserve is refilled below this fraction of its size. */
const refillShare = 0.75;
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
 * file and a write-ahead log that has its size already.
 */
export interface DiskRoom {
  /** Returns the free bytes of the disk that contains the database; Infinity if unknown. */
  freeBytes(): number;
  /**
   * Must be called before a change, outside a transaction. On a nearly full disk it empties the write-ahead
   * log for reuse.
   */
  prepareChange(): void;
  /**
   * Refills the reserve if the disk has enough space. Blocks for some milliseconds if there is something to
   * do.
   */
  refill(): void;
}

/** Creates the reserve of the database at `path`. */
export function openDiskRoom(connection: SqliteConnection, path: string): DiskRoom {
  const folder = dirname(path);
  const freeBytes = (): number => {
    try {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    } catch {
      return Infinity;
    }
  };
  const checkpoint = (): void => {
    connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
  };
  return {
    freeBytes,
    prepareChange() {
      if (freeBytes() >= tightBytes) return;
      try {
        checkpoint();
      } catch {
        // The change itself reports the error.
      }
    },
    refill() {
      const pageBytes = numberOf(connection, 'page_size');
      const spareBytes = numberOf(connection, 'freelist_count') * pageBytes;
      const logBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
      if (Math.min(spareBytes, logBytes) >= reserveBytes * refillShare) return;
      if (freeBytes() < 2 * reserveBytes) return;
      // Written to the log and checkpointed into the file, so that both have their size; then freed inside
      // the file.
      connection.exec(`drop table if exists ${reserveTable}`);
      connection.exec(`create table ${reserveTable} (content blob)`);
      connection.exec(`insert into ${reserveTable} values (zeroblob(${reserveBytes}))`);
      checkpoint();
      connection.exec(`drop table ${reserveTable}`);
      checkpoint();
    },
  };
}
