import { type VirtualPath, parsePath } from '@filestead/contract/paths/virtual-path';
import * as z from 'zod/mini';
import type { StoredShare } from '../../database/stored-share.ts';
import { firstIssueOf, withKeysOf } from '../records/parse-record.ts';
import type { Reporter } from './report.ts';

/** A share that can be stored once its owner has an id. */
export interface ImportedShare {
  readonly formerOwnerId: number;
  readonly share: Omit<StoredShare, 'userId'>;
}

/** A share as stored by File Browser (docs/reference/filebrowser-api.md §1.11). */
const Link = z.object({
  hash: z.string().check(z.regex(/^[\w-]{1,128}$/)),
  path: z.string().check(z.maxLength(4096)),
  userID: z.int(),
  expire: z._default(z.int(), 0),
  password_hash: z._default(z.string(), ''),
});
const keys = { hash: '', path: '', userID: 0, expire: 0, password_hash: '', token: '' };

/** Looks up the kind of the entry at a path within an owner's scope; null if there is none. */
export type EntryLookup = (
  formerOwnerId: number,
  path: VirtualPath,
) => Promise<'folder' | 'file' | 'unknown' | null>;

async function importShare(
  record: unknown,
  position: string,
  { nowMs, lookUp, reporter }: { nowMs: number; lookUp: EntryLookup; reporter: Reporter },
): Promise<ImportedShare | null> {
  const parsed = z.safeParse(Link, withKeysOf(record, keys));
  if (!parsed.success) {
    reporter.skipped('link', position, firstIssueOf(parsed.error));
    return null;
  }
  const { hash, path: written, userID, expire, password_hash: passwordHash } = parsed.data;
  const name = `${hash} (${written})`;
  if (expire !== 0 && expire * 1000 <= nowMs) {
    reporter.skipped('link', name, 'it has ended');
    return null;
  }
  let path: VirtualPath;
  try {
    ({ path } = parsePath(written));
  } catch {
    reporter.skipped('link', name, 'its path cannot be used here');
    return null;
  }
  if (passwordHash !== '' && !/^\$2[abxy]\$/.test(passwordHash)) {
    reporter.skipped('link', name, 'its password cannot be checked here');
    return null;
  }
  const found = await lookUp(userID, path);
  if (found === null)
    reporter.note('link', name, 'there is no entry at its path; visitors get “not found” until there is one');
  const isFolder = found === 'folder' || (found !== 'file' && (written.endsWith('/') || path === '/'));
  return {
    formerOwnerId: userID,
    share: {
      hash,
      path,
      isFolder,
      expiresAt: expire,
      passwordHash: passwordHash === '' ? null : passwordHash,
      createdAt: nowMs,
      visits: 0,
    },
  };
}

/** Imports the shares of a source whose owners are among `owners`. */
export async function importShares(
  records: readonly unknown[],
  context: { nowMs: number; owners: ReadonlySet<number>; lookUp: EntryLookup; reporter: Reporter },
): Promise<ImportedShare[]> {
  const imported = new Map<string, ImportedShare>();
  for (const [index, record] of records.entries()) {
    const found = await importShare(record, `number ${index}`, context);
    if (found === null) continue;
    const { hash, path } = found.share;
    const reason = imported.has(hash) ? 'it occurs twice' : 'its owner was not imported';
    if (imported.has(hash) || !context.owners.has(found.formerOwnerId)) {
      context.reporter.skipped('link', `${hash} (${path})`, reason);
    } else {
      imported.set(hash, found);
    }
  }
  return [...imported.values()];
}
