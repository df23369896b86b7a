import fs from 'node:fs';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { isYieldDue, yieldToEventLoop } from '../../../scheduling/event-loop.ts';
import type { KeptEntry } from '../../kept/kept-entries.ts';
import { entryOfRecord } from '../../kept/kept-record.ts';
import type { Disk } from '../disk.ts';
import { at, type Folder } from '../paths/folder.ts';
import { flushFolder, lstatOrNull } from '../paths/publish.ts';
import { ignoreErrno, isErrno, syscalls } from '../paths/syscalls.ts';
import { storesOf } from './keep-entry.ts';
import { ledgerFiles, readLedgerFile } from './ledger.ts';
import { idsOf, isLedgerValue, type LedgerValue } from './ledger-values.ts';
import type { Store } from './store.ts';
import { isNoStore } from './stores.ts';

/** A file is rewritten when less than this part of its lines is needed. */
const maxNeededPart = 0.25;
/** The number of entries whose existence is checked in parallel. */
const parallelChecks = 32;
/** The size of one write (bytes). */
const writeBytes = 256 * 1024;

/** The suffix of a file that is being written. Readers ignore it. */
const unfinished = '.new';

/** Whether an entry is in the store. Throws when that is unknown. */
async function isPresent(store: Store, { folder, storedName }: KeptEntry): Promise<boolean> {
  try {
    const opened = await store.folder(folder, { create: false });
    return (await lstatOrNull(opened, storedName)) !== null;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false;
    throw error;
  }
}

/** The entries that the records of one file describe. */
interface FileEntries {
  readonly present: ReadonlySet<string>;
  /** No longer in the store. */
  readonly past: ReadonlySet<string>;
  /** Entries of other files that records of this file refer to. */
  readonly others: ReadonlySet<string>;
}

/** Returns the ids that a record refers to, apart from the record of an entry itself. */
function referredIds(value: LedgerValue): string[] {
  const { id } = value;
  return typeof id === 'string' ? [id] : idsOf(value);
}

async function* valuesOf(store: Store, file: string, signal?: AbortSignal): AsyncGenerator<LedgerValue> {
  for await (const { value } of readLedgerFile(store.ledgerFolder, file, 0)) {
    signal?.throwIfAborted();
    if (isYieldDue()) await yieldToEventLoop();
    if (isLedgerValue(value)) yield value;
  }
}

async function readEntries(store: Store, file: string, signal?: AbortSignal): Promise<FileEntries> {
  const present = new Set<string>();
  const past = new Set<string>();
  const others = new Set<string>();
  let unchecked: KeptEntry[] = [];
  const check = async (): Promise<void> => {
    const entries = unchecked;
    unchecked = [];
    const found = await Promise.all(entries.map((entry) => isPresent(store, entry)));
    for (const [index, { id }] of entries.entries()) (found[index] === true ? present : past).add(id);
  };
  for await (const value of valuesOf(store, file, signal)) {
    const entry = entryOfRecord(value, store.path as VirtualPath);
    if (entry === null) {
      for (const id of referredIds(value)) others.add(id);
      continue;
    }
    unchecked.push(entry);
    if (unchecked.length >= parallelChecks) await check();
  }
  await check();
  for (const id of [...present, ...past]) others.delete(id);
  return { present, past, others };
}

/** The records of a ledger that are needed beyond those of entries in the store. */
interface OtherRecords {
  /** Entries that were restored, at any time. */
  readonly restored: ReadonlySet<string>;
  /** The entries of {@link FileEntries.others} that earlier files describe. */
  readonly described: ReadonlySet<string>;
  /** Whether an earlier file describes an entry that is in the store. */
  readonly hasEarlier: boolean;
}

/**
 * Returns the function that decides in order whether a record is needed. Moves, and restorations of folders, determine
 * where earlier entries would be now; without earlier entries they are not needed.
 */
function neededRecords(
  entries: FileEntries,
  others: OtherRecords,
): (value: LedgerValue) => LedgerValue | null {
  let hasEarlier = others.hasEarlier;
  const neededPast = new Set<string>();
  const isNeeded = (id: string): boolean =>
    entries.present.has(id) || neededPast.has(id) || others.described.has(id);
  return (value) => {
    const { type, id } = value;
    if (type === 'keep') {
      if (typeof id !== 'string') return null;
      if (entries.present.has(id)) {
        hasEarlier = true;
        return value;
      }
      if (!hasEarlier || !entries.past.has(id) || !others.restored.has(id)) return null;
      neededPast.add(id);
      return value;
    }
    if (type === 'move') return hasEarlier ? value : null;
    // Operations that they repair have ended.
    if (type === 'away' || type === 'placed') return null;
    if (type === 'doom' || type === 'end') {
      const ids = idsOf(value).filter(isNeeded);
      return ids.length === 0 ? null : { ...value, ids };
    }
    return typeof id === 'string' && isNeeded(id) ? value : null;
  };
}

/** Writes the needed records of a file into a new one and renames that over it: a crash leaves one or the other. */
async function rewrite(
  store: Store,
  file: string,
  needed: (value: LedgerValue) => LedgerValue | null,
): Promise<void> {
  const folder: Folder = store.ledgerFolder;
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = fs.constants;
  const path = at(folder, `${file}${unfinished}`);
  const flags = O_WRONLY | O_CREAT | O_TRUNC | (O_NOFOLLOW ?? 0);
  const descriptor = await syscalls.open(path, flags, 0o600);
  try {
    let text = '';
    const write = async (): Promise<void> => {
      for (let bytes = Buffer.from(text); bytes.length > 0;) {
        const { bytesWritten } = await syscalls.write(descriptor, bytes);
        bytes = bytes.subarray(bytesWritten);
      }
      text = '';
    };
    for await (const value of valuesOf(store, file)) {
      const record = needed(value);
      if (record !== null) text += `${JSON.stringify(record)}\n`;
      if (text.length >= writeBytes) await write();
    }
    await write();
    await syscalls.fdatasync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
  await syscalls.rename(path, at(folder, file));
  await flushFolder(folder);
}

async function compactFile(
  store: Store,
  file: string,
  earlier: readonly string[],
  others: Pick<OtherRecords, 'restored' | 'hasEarlier'>,
  signal: AbortSignal | undefined,
): Promise<{ isRemoved: boolean; hasEntries: boolean }> {
  const entries = await readEntries(store, file, signal);
  const described = new Set<string>();
  if (entries.others.size > 0) {
    for (const each of earlier) {
      for await (const { type, id } of valuesOf(store, each, signal))
        if (type === 'keep' && typeof id === 'string' && entries.others.has(id)) described.add(id);
    }
  }
  const all = { ...others, described };
  let lines = 0;
  let neededLines = 0;
  const count = neededRecords(entries, all);
  for await (const value of valuesOf(store, file, signal)) {
    lines += 1;
    if (count(value) !== null) neededLines += 1;
  }
  const hasEntries = entries.present.size > 0;
  if (neededLines === 0) {
    await ignoreErrno(syscalls.unlink(at(store.ledgerFolder, file)), 'ENOENT');
    await flushFolder(store.ledgerFolder);
    return { isRemoved: true, hasEntries };
  }
  if (neededLines < lines * maxNeededPart) await rewrite(store, file, neededRecords(entries, all));
  return { isRemoved: false, hasEntries };
}

async function compactStore(store: Store, limit: string, signal: AbortSignal | undefined): Promise<void> {
  const files = await ledgerFiles(store.ledgerFolder);
  const old = files.slice(0, -1).filter((file) => file < limit);
  if (old.length === 0) return;
  for (const name of await fs.promises.readdir(at(store.ledgerFolder, '.')))
    if (name.endsWith(unfinished)) await ignoreErrno(syscalls.unlink(at(store.ledgerFolder, name)), 'ENOENT');
  const restored = new Set<string>();
  for (const file of files) {
    for await (const { type, id } of valuesOf(store, file, signal))
      if (type === 'restore' && typeof id === 'string') restored.add(id);
  }
  const earlier: string[] = [];
  let hasEarlier = false;
  for (const file of old) {
    const result = await compactFile(store, file, earlier, { restored, hasEarlier }, signal);
    hasEarlier ||= result.hasEntries;
    if (!result.isRemoved) earlier.push(file);
  }
}

/**
 * `Storage.compact` on a disk. Only files are changed to which nothing more is appended, and that both the repair of
 * interrupted operations and the index have read to the end.
 */
export async function compactLedger(
  disk: Disk,
  path: VirtualPath,
  position: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const stores = storesOf(disk);
  const fileOf = (text: string): string => text.split(':')[0] ?? '';
  const checked = fileOf(stores.registry.find(path)?.checked ?? '');
  const read = fileOf(position);
  const limit = checked < read ? checked : read;
  try {
    await stores.withStore(path, (store) => compactStore(store, limit, signal));
  } catch (error) {
    if (!isNoStore(error)) throw error;
  }
}
