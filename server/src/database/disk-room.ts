import { statSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SqliteConnection } from './sqlite/open-sqlite.ts';

/** Bytes that the database keeps for itself in its file and in its write-ahead log, each. */
const reserveBytes = 1024 * 1024;
/** The reserve is made anew when less than this share of it is left. */
const refillShare = 0.75;
/** On a disk with less room the write-ahead log is used from its beginning again before each transaction (bytes). */
const tightBytes = 8 * reserveBytes;

const reserveTable = 'filestead_reserve';

const numberOf = (connection: SqliteConnection, pragma: string): number =>
  Number(Object.values(connection.prepare(`PRAGMA ${pragma}`).all()[0] ?? {})[0] ?? 0);

/**
 * Lets a database go on writing when its disk is full: small changes, such as sign-ins, go into pages that the file has to
 * spare, and into a write-ahead log that has its size already.
 */
export interface DiskRoom {
  /** Free bytes of the disk that holds the database; infinite when it does not say. */
  freeBytes(): number;
  /** Called before a change, outside a transaction. On a disk with little room it empties the write-ahead log for reuse. */
  prepareChange(): void;
  /** Tops the reserve up when the disk has room for it. Blocks for some milliseconds when there is something to do. */
  refill(): void;
}

/** The room of the database at `path`. */
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
        // The change itself will say what is wrong.
      }
    },
    refill() {
      const pageBytes = numberOf(connection, 'page_size');
      const spareBytes = numberOf(connection, 'freelist_count') * pageBytes;
      const logBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
      if (Math.min(spareBytes, logBytes) >= reserveBytes * refillShare) return;
      if (freeBytes() < 2 * reserveBytes) return;
      // Written to the log and from there into the file, so that both have their size; then given free inside the file.
      connection.exec(`drop table if exists ${reserveTable}`);
      connection.exec(`create table ${reserveTable} (content blob)`);
      connection.exec(`insert into ${reserveTable} values (zeroblob(${reserveBytes}))`);
      checkpoint();
      connection.exec(`drop table ${reserveTable}`);
      checkpoint();
    },
  };
}
