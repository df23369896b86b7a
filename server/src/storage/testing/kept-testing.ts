import { randomUUID } from 'node:crypto';
import type { KeepCause, KeptEntry, LedgerOptions, LedgerRecord } from '../kept/kept-entries.ts';
import type { RemoveOptions, Storage } from '../storage.ts';
import { path } from './storage-testing.ts';

/** A time within the hour `2026-11-21T10`. */
export const time = Date.UTC(2026, 10, 21, 10, 30);

/** Returns a cause of user 1; by default that of a deletion. */
export const causeOf = (act: KeepCause['act'] = 'delete'): KeepCause => ({
  operation: randomUUID(),
  act,
  userId: 1,
  session: 'session',
  time,
});

/** Deletes the entry at `text` and returns its record. */
export async function keep(storage: Storage, text: string, options: RemoveOptions = {}): Promise<KeptEntry> {
  const [entry, ...more] = await storage.remove(path(text), { keep: causeOf(), ...options });
  if (entry === undefined || more.length > 0) throw new Error(`${more.length + 1} entries were kept`);
  return entry;
}

/** The records of the store at the root. */
export async function recordsOf(storage: Storage, options?: LedgerOptions): Promise<LedgerRecord[]> {
  const records: LedgerRecord[] = [];
  for await (const record of storage.ledger(path('/'), options)) records.push(record);
  return records;
}

/** The options of a restoration that replaces nothing. */
export const restored = { conflict: 'fail', createParents: true } as const;
/** The options of a restoration that replaces a file and merges a folder. */
export const replacing = { conflict: 'replace', createParents: true } as const;

/** The tree of the tests of kept entries. */
export const keptFiles = {
  '/a.txt': 'a',
  '/docs/b.txt': 'bb',
  '/docs/inner/c.txt': 'ccc',
  '/docs/empty/': '',
  '/other/d.txt': 'd',
};
