import {
  joinPaths,
  nameOf,
  parentOf,
  rootPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { AppError, isAppError } from '../../errors.ts';
import { trashName } from '../disk/paths/temporary-names.ts';
import { jsonOrNull } from '../json-or-null.ts';
import type {
  KeepCause,
  KeepOptions,
  KeptEntry,
  KeptNote,
  LedgerRecord,
  PurgeOptions,
  PurgeResult,
  RestoreOptions,
  StoreReport,
} from '../kept/kept-entries.ts';
import { hourOf, idOfStoredName, isKeptId, newKeptId, storedNameOf } from '../kept/kept-names.ts';
import { entryOfRecord, recordOf, recordedPath } from '../kept/kept-record.ts';
import type { DiskUsage } from '../storage.ts';
import { type CheckedTree, childPath, type Displace } from './checked-tree.ts';
import { removeIfExists, withStaged } from './core-writes.ts';
import { contentOf, TreeChange } from './tree-change.ts';
import type { CoreEntry } from './storage-core.ts';

/** The store of a backend: one file for each record, because a backend cannot append to a published file. */
const storeTop = childPath(rootPath, trashName);
const recordsTop = childPath(storeTop, 'records');
const doomedTop = childPath(storeTop, 'doomed');
const thingsTop = childPath(storeTop, 'things');
const annotationsTop = childPath(storeTop, 'marks');
const movesTop = childPath(storeTop, 'moves');

const recordPath = (id: string): VirtualPath => childPath(recordsTop, `${id}.json`);
const doomedPath = (id: string): VirtualPath => childPath(doomedTop, id);

/** The backend's path of a kept entry. */
export const storedPath = ({ folder, storedName }: KeptEntry): VirtualPath =>
  childPath(childPath(thingsTop, folder), storedName);

async function ensureFolder(tree: CheckedTree, path: VirtualPath): Promise<void> {
  if (path === rootPath || (await tree.backend.stat(path)) !== null) return;
  await ensureFolder(tree, parentOf(path));
  await tree.whole().createFolder(path);
}

/** Writes a file of the store, which appears complete. */
async function writeFile(tree: CheckedTree, path: VirtualPath, text: string): Promise<void> {
  await ensureFolder(tree, parentOf(path));
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(text);
  }
  await withStaged(tree.whole(), path, async (staged) => {
    await tree.backend.write(staged, bytes(), 0);
    await tree.backend.renameFile(staged, path, { replace: true });
  });
}

async function readFile(tree: CheckedTree, path: VirtualPath): Promise<string> {
  const file = await tree.backend.openFile(path);
  try {
    const pieces: Buffer[] = [];
    for await (const piece of contentOf(file)) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces).toString();
  } finally {
    await file.close();
  }
}

/** Moves the entry at the backend's path `place` into the store. Throws `cannot_keep` when that is impossible. */
export async function keepEntry(
  tree: CheckedTree,
  place: VirtualPath,
  { kind, size, modifiedNs }: CoreEntry,
  cause: KeepCause,
): Promise<KeptEntry> {
  const id = newKeptId();
  const entry: KeptEntry = {
    id,
    store: rootPath,
    folder: hourOf(cause.time),
    storedName: storedNameOf(id, nameOf(place)),
    place,
    kind,
    size: kind === 'file' ? size : null,
    modifiedNs: String(modifiedNs),
    keptAt: cause.time,
    cause,
  };
  try {
    await writeFile(tree, recordPath(id), JSON.stringify(recordOf(entry)));
    await ensureFolder(tree, parentOf(storedPath(entry)));
  } catch (error) {
    if (!isAppError(error, 'storage_full', 'forbidden')) throw error;
    throw new AppError('cannot_keep', 'the trash cannot be written', { cause: error });
  }
  try {
    await new TreeChange(tree.whole(), {}).move(place, storedPath(entry), await existing(tree, place));
  } catch (error) {
    if ((await tree.backend.stat(storedPath(entry))) === null) await removeIfExists(tree, recordPath(id));
    throw error;
  }
  return entry;
}

/** Moves files that are about to be replaced into the store; undefined when nothing is to be kept. */
export function displacer(
  tree: CheckedTree,
  { keep, onKept, accepts, losesUnkept = false, onLost }: KeepOptions,
): Displace | undefined {
  if (keep === undefined || keep === null) return onLost && (async (path) => onLost(tree.absolute(path)));
  return async (path, current) => {
    const { kind, size, modifiedNs } = current;
    if (accepts?.({ name: nameOf(path), place: tree.absolute(path), kind, size, modifiedNs }) === false) {
      onLost?.(tree.absolute(path));
      return;
    }
    try {
      onKept?.([await keepEntry(tree, tree.absolute(path), current, keep)]);
    } catch (error) {
      if (!losesUnkept || !isAppError(error, 'cannot_keep')) throw error;
      onLost?.(tree.absolute(path));
    }
  };
}

async function existing(tree: CheckedTree, path: VirtualPath): Promise<CoreEntry> {
  const entry = await tree.backend.stat(path);
  if (entry === null) throw new AppError('not_found');
  return entry;
}

/** The path of this tree at which `entry` was. Throws `not_found` when it was outside, or is no longer kept. */
export async function findKept(
  tree: CheckedTree,
  entry: KeptEntry,
): Promise<{ readonly found: CoreEntry; readonly path: VirtualPath }> {
  const path = tree.fromAbsolute(entry.place);
  const found = path === null ? null : await tree.backend.stat(storedPath(entry));
  if (path === null || found === null) throw new AppError('not_found');
  tree.assertAllowed(path);
  return { found, path };
}

/** `Storage.restore`. */
export async function restoreEntry(
  tree: CheckedTree,
  entry: KeptEntry,
  to: VirtualPath,
  options: RestoreOptions,
): Promise<void> {
  const { found, path } = await findKept(tree, entry);
  if (to === rootPath) throw new AppError('root_is_protected');
  const check = async (): Promise<void> => {
    await tree.assertParents(to, options.createParents);
    const target = await tree.find(to);
    if (target !== null && (options.conflict === 'fail' || target.kind !== found.kind))
      throw new AppError('already_exists');
    if (found.kind === 'file') return;
    const kept = tree.keptAt(storedPath(entry), path);
    for await (const below of kept.descendants(rootPath, { signal: options.signal })) {
      const destination = joinPaths(to, below.path);
      kept.assertAllowed(below.path);
      tree.assertAllowed(destination);
      const current = target === null ? null : await tree.find(destination);
      if (current !== null && current.kind !== below.entry.kind) throw new AppError('already_exists');
    }
  };
  await check();
  await options.beforeChange?.();
  await check();
  await tree.createParents(to, options.createParents, options.onParent);
  const whole = tree.whole();
  const change = new TreeChange(whole, {
    overwrite: options.conflict === 'replace',
    displace: displacer(whole, options),
    onMerged: options.onMerged,
    signal: options.signal,
  });
  await change.move(storedPath(entry), tree.absolute(to), found);
  await removeIfExists(tree, recordPath(entry.id));
}

/** `Storage.purge`. */
export async function purgeEntries(
  tree: CheckedTree,
  entries: readonly KeptEntry[],
  { signal, onProgress, pace }: PurgeOptions,
): Promise<PurgeResult> {
  const purged: string[] = [];
  const failed: { id: string; code: AppError['code'] }[] = [];
  let names = 0;
  for (const entry of entries) {
    if (tree.fromAbsolute(entry.place) === null) throw new AppError('not_found');
    await writeFile(tree, doomedPath(entry.id), '');
  }
  for (const entry of entries) {
    signal?.throwIfAborted();
    try {
      const found = await tree.backend.stat(storedPath(entry));
      if (found !== null) {
        const change = new TreeChange(tree.whole(), {
          signal,
          onProgress: () => onProgress?.({ entries: ++names }),
        });
        await change.remove(storedPath(entry), found);
      }
      await removeIfExists(tree, recordPath(entry.id));
      await removeIfExists(tree, doomedPath(entry.id));
      purged.push(entry.id);
      await pace?.(1);
    } catch (error) {
      if (!isAppError(error)) throw error;
      failed.push({ id: entry.id, code: error.code });
    }
  }
  return { purged, failed };
}

async function namesIn(tree: CheckedTree, folder: VirtualPath): Promise<string[]> {
  if ((await tree.backend.stat(folder)) === null) return [];
  return (await tree.allChildren(folder)).map(({ name }) => name);
}

/** `Storage.record`. */
export async function recordNote(tree: CheckedTree, note: KeptNote): Promise<readonly VirtualPath[]> {
  if (note.kind === 'move') {
    const { from, to, number } = note;
    await writeFile(tree, childPath(movesTop, `${number}.json`), JSON.stringify({ from, to }));
  } else {
    const { entry, label, keepsForever } = note;
    if ((await tree.backend.stat(storedPath(entry))) === null) throw new AppError('not_found');
    await writeFile(
      tree,
      childPath(annotationsTop, `${entry.id}.json`),
      JSON.stringify({ label, keepsForever }),
    );
  }
  return [rootPath];
}

/** Reads the values of a folder of records, with the names of their files. */
async function* valuesIn(
  tree: CheckedTree,
  folder: VirtualPath,
): AsyncGenerator<{ name: string; value: Readonly<Record<string, unknown>> }> {
  for (const file of await namesIn(tree, folder)) {
    const name = /^(.+)\.json$/.exec(file)?.[1];
    if (name === undefined) continue;
    const value = jsonOrNull(await readFile(tree, childPath(folder, file)));
    if (typeof value === 'object' && value !== null) yield { name, value: { ...value } };
  }
}

/** `Storage.ledger`. */
export async function* readLedger(tree: CheckedTree, store: VirtualPath): AsyncGenerator<LedgerRecord> {
  if (store !== rootPath) return;
  const position = '';
  const entries: KeptEntry[] = [];
  for (const name of await namesIn(tree, recordsTop)) {
    if (!name.endsWith('.json')) continue;
    const entry = entryOfRecord(jsonOrNull(await readFile(tree, childPath(recordsTop, name))), rootPath);
    if (entry !== null && (await tree.backend.stat(storedPath(entry))) !== null) entries.push(entry);
  }
  const records = entries.map((entry): { time: number; record: LedgerRecord } => ({
    time: entry.keptAt,
    record: { kind: 'keep', entry, position },
  }));
  for await (const { name, value } of valuesIn(tree, movesTop)) {
    const [from, to, number] = [recordedPath(value['from']), recordedPath(value['to']), Number(name)];
    if (from === null || to === null) continue;
    records.push({ time: number, record: { kind: 'move', from, to, number, position } });
  }
  for (const { record } of records.toSorted((a, b) => a.time - b.time)) yield record;
  for await (const { name: id, value } of valuesIn(tree, annotationsTop)) {
    const { label, keepsForever } = value;
    if (!entries.some((entry) => entry.id === id) || typeof keepsForever !== 'boolean') continue;
    yield { kind: 'annotation', id, label: typeof label === 'string' ? label : null, keepsForever, position };
  }
  for (const id of await namesIn(tree, doomedTop)) if (isKeptId(id)) yield { kind: 'doom', id, position };
}

/** `Storage.stores`. */
export async function reportStore(tree: CheckedTree, usage: DiskUsage): Promise<StoreReport> {
  const ids = new Set<string>();
  let fileBytes = 0;
  for (const folder of await namesIn(tree, thingsTop)) {
    for (const { name, kind, size } of await tree.allChildren(childPath(thingsTop, folder))) {
      const id = idOfStoredName(name);
      if (id === null) continue;
      ids.add(id);
      if (kind === 'file') fileBytes += size;
    }
  }
  const recorded = (await namesIn(tree, recordsTop))
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));
  return {
    store: rootPath,
    fileSystem: usage.fileSystem,
    total: usage.total,
    free: Math.max(0, usage.total - usage.used),
    names: null,
    entries: ids.size,
    fileBytes,
    withoutRecord: [...ids].filter((id) => !recorded.includes(id)).length,
    withoutEntry: recorded.filter((id) => !ids.has(id)).length,
    damaged: 0,
    problem: null,
    refusal: null,
    foreign: 0,
  };
}
