import path from 'node:path';
import { isAtOrBelow as isPathBelow, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { diskSpaceOf } from '../../../disk-space.ts';
import { AppError, isAppError } from '../../../errors.ts';
import {
  type KeptEntry,
  type LedgerOptions,
  type LedgerRecord,
  nothingCounted,
  type StoreReport,
  type StoresOptions,
} from '../../kept/kept-entries.ts';
import { idOfStoredName, isKeptFolder, isKeptId } from '../../kept/kept-names.ts';
import { entryOfRecord } from '../../kept/kept-record.ts';
import type { Disk } from '../disk.ts';
import { toAppError } from '../paths/errors.ts';
import { at, closeFolder, type Folder } from '../paths/folder.ts';
import { fileSystemOf, isAtOrBelow, readMounts } from '../paths/mount-table.ts';
import { lstatOrNull } from '../paths/publish.ts';
import { toRawPath } from '../paths/raw-names.ts';
import { syscalls } from '../paths/syscalls.ts';
import { readFolder } from '../read-folder.ts';
import { openTree } from '../trees/open-tree.ts';
import { storesOf } from './keep-entry.ts';
import { readLedgerBatches } from './ledger.ts';
import { idsOf, isLedgerValue, type LedgerValue, recordsOfValue } from './ledger-values.ts';
import { PresentEntries } from './present-entries.ts';
import type { Store } from './store.ts';
import { isNoStore, type Stores } from './stores.ts';

/** `Storage.ledger` on a disk. */
export async function* readRecords(
  disk: Disk,
  path: VirtualPath,
  { since, includesPast = false }: LedgerOptions,
): AsyncGenerator<LedgerRecord> {
  const stores = storesOf(disk);
  const present = new PresentEntries();
  // The records are collected in chunks, so that the store is not kept open by a slow reader.
  let position = since;
  for (;;) {
    const chunk = await readChunk(stores, path, position, present);
    for (const record of chunk.records) if (includesPast || record.kind !== 'past') yield record;
    if (chunk.isLast) return;
    position = chunk.position;
  }
}

/** The number of lines after which a chunk ends. */
const chunkLines = 1_000;

async function readChunk(
  stores: Stores,
  path: VirtualPath,
  since: string | undefined,
  present: PresentEntries,
): Promise<{ records: LedgerRecord[]; position: string; isLast: boolean }> {
  let position = since ?? '';
  let isLast = true;
  const records: LedgerRecord[] = [];
  try {
    await stores.withStore(path, async (store) => {
      const lines: { value: LedgerValue; entry: KeptEntry | null; position: string }[] = [];
      for await (const batch of readLedgerBatches(store.ledgerFolder, { since })) {
        for (const line of batch) {
          ({ position } = line);
          const { value } = line;
          if (isLedgerValue(value)) lines.push({ value, entry: entryOfRecord(value, path), position });
        }
        if (lines.length < chunkLines) continue;
        isLast = false;
        break;
      }
      const recorded = lines.flatMap(({ value, entry }) =>
        entry === null ? [] : [{ entry, hasState: typeof value['modifiedNs'] === 'string' }],
      );
      const found = (await present.find(store, recorded)).values();
      for (const { value, entry, position: after } of lines) {
        if (entry === null)
          for (const record of recordsOfValue(value, path)) records.push({ ...record, position: after });
        else {
          const { value: stored = null } = found.next();
          if (stored === null) records.push({ kind: 'past', entry, position: after });
          else records.push({ kind: 'keep', entry: stored, position: after });
        }
      }
    });
  } catch (error) {
    if (!isNoStore(error)) throw error;
  }
  return { records, position, isLast };
}

/** The virtual paths of the mount points below the root, where other volumes begin. */
async function mountPaths({ scopeRoot }: Stores): Promise<VirtualPath[]> {
  const mounts = (await readMounts()) ?? [];
  const root = await syscalls.realpath(at(scopeRoot.root, '.'));
  return mounts
    .filter(({ point }) => point !== root && isAtOrBelow(point, root))
    .map(({ point }) => `/${path.relative(root, point)}` as VirtualPath);
}

/** The number and size of the entries of a store, and their ids. */
async function countEntries(
  store: Store,
  signal: AbortSignal | undefined,
): Promise<{ ids: Set<string>; fileBytes: number }> {
  const ids = new Set<string>();
  let fileBytes = 0;
  const folders: string[] = [];
  for await (const entries of readFolder(store.things))
    folders.push(...entries.map(({ name }) => name).filter(isKeptFolder));
  for (const name of folders) {
    const folder = await store.openFolderOnce(name);
    if (folder === undefined) continue;
    try {
      for await (const entries of readFolder(folder)) {
        signal?.throwIfAborted();
        const sizes = await Promise.all(
          entries.map(async (entry) => {
            const id = idOfStoredName(entry.name);
            if (id === null) return 0;
            ids.add(id);
            return entry.type === 'file' ? Number((await lstatOrNull(folder, entry.name))?.size ?? 0n) : 0;
          }),
        );
        fileBytes += sizes.reduce((total, size) => total + size, 0);
      }
    } finally {
      closeFolder(folder);
    }
  }
  return { ids, fileBytes };
}

/** The file system of a volume, and its capacity. */
type Capacity = Pick<StoreReport, 'fileSystem' | 'total' | 'free' | 'names'>;

/** The volume of a store. Throws `not_found` if the open store was removed. */
async function measureVolume(store: Store): Promise<Capacity> {
  const { nlink } = await syscalls.lstat(at(store.top, '.'));
  if (nlink === 0n) throw new AppError('not_found');
  return measureDisk(store.top);
}

/** The capacity of the disk of a folder. */
async function measureDisk(folder: Folder): Promise<Capacity> {
  const stats = await syscalls.statfs(toRawPath(folder.base));
  const { files, ffree } = stats;
  // File systems that allocate inodes as needed, such as btrfs, report 0.
  const names = files > 0 ? { total: files, free: Math.max(ffree, 0) } : null;
  return { fileSystem: await fileSystemOf(folder), ...diskSpaceOf(stats), names };
}

/** Free bytes with which a disk that was full can keep entries again. */
const recordRoom = 1024 * 1024;

/** Adds the refusals of {@link Stores} to the reports of their volumes, and reports volumes that have no store because of them. */
async function withRefusals(
  { scopeRoot, refusals }: Stores,
  places: readonly VirtualPath[],
  reports: readonly StoreReport[],
): Promise<StoreReport[]> {
  const found = [...reports];
  for (const { place, problem } of refusals) {
    const above = places.filter((each) => isPathBelow(place, each));
    const volume = above.toSorted((a, b) => b.length - a.length)[0];
    const index = found.findIndex(({ store }) => store === volume);
    const report = found[index];
    const hasRoom = (free: number): boolean => problem === 'disk_full' && free >= recordRoom;
    if (report !== undefined && !hasRoom(report.free)) found[index] = { ...report, refusal: problem };
    if (volume === undefined || report !== undefined) continue;
    const tree = await openTree(scopeRoot, volume).catch(() => null);
    if (tree === null) continue;
    try {
      const disk = await measureDisk(tree.folder);
      if (!hasRoom(disk.free))
        found.push({ store: volume, ...disk, ...nothingCounted, problem, refusal: problem });
    } finally {
      if (tree.folder !== scopeRoot.root) closeFolder(tree.folder);
    }
  }
  return found;
}

/** The report without entries and records. Its duration does not depend on the size of the store. */
async function reportBriefly(store: Store): Promise<StoreReport> {
  const volume = await measureVolume(store);
  return { store: store.path as VirtualPath, ...volume, ...nothingCounted, problem: null, refusal: null };
}

async function reportOne(
  stores: Stores,
  store: Store,
  signal: AbortSignal | undefined,
): Promise<StoreReport> {
  const { ids, fileBytes } = await countEntries(store, signal);
  const recorded = new Set<string>();
  const ended = new Set<string>();
  let damaged = 0;
  const onDamaged = (lines: number): void => void (damaged += lines);
  for await (const batch of readLedgerBatches(store.ledgerFolder, { onDamaged })) {
    for (const { value } of batch) {
      const entry = entryOfRecord(value, store.path as VirtualPath);
      if (entry !== null) recorded.add(entry.id);
      else if (!isLedgerValue(value) || value['type'] === 'keep') damaged += 1;
      else if (value['type'] === 'end') for (const id of idsOf(value)) ended.add(id);
    }
  }
  let foreign = 0;
  for await (const entries of readFolder(store.top))
    foreign += entries.filter(
      ({ name, type }) => type === 'folder' && isKeptId(name) && name !== stores.registry.installation,
    ).length;
  return {
    store: store.path as VirtualPath,
    ...(await measureVolume(store)),
    entries: ids.size,
    fileBytes,
    withoutRecord: [...ids].filter((id) => !recorded.has(id)).length,
    withoutEntry: [...recorded].filter((id) => !ids.has(id) && !ended.has(id)).length,
    damaged,
    problem: null,
    refusal: null,
    foreign,
  };
}

/** `Storage.stores` on a disk. */
export async function reportStores(
  disk: Disk,
  { signal, isBrief = false }: StoresOptions = {},
): Promise<readonly StoreReport[]> {
  if (disk.stores === null) return [];
  const { stores } = disk;
  const known = stores.registry.stores.map((store) => store.path as VirtualPath);
  const reports: StoreReport[] = [];
  const places = [...new Set(['/' as VirtualPath, ...known, ...(await mountPaths(stores))])];
  for (const place of places) {
    try {
      const report = (store: Store): Promise<StoreReport> =>
        isBrief ? reportBriefly(store) : reportOne(stores, store, signal);
      reports.push(await stores.withStore(place, report));
    } catch (error) {
      const translated = toAppError(error);
      if (!(translated instanceof AppError)) throw error;
      // Most volumes have no store until something is deleted there.
      const isMissing = isNoStore(translated);
      if (isMissing && !known.includes(place)) continue;
      const isGone = isMissing || isAppError(translated, 'not_a_folder', 'external_link');
      const isForeign = isAppError(translated, 'cannot_keep');
      const problem = isGone ? 'store_missing' : isForeign ? 'foreign_owner' : 'unreadable';
      const unknown = { fileSystem: '', total: 0, free: 0, names: null };
      reports.push({ store: place, ...unknown, ...nothingCounted, problem, refusal: null });
    }
  }
  return withRefusals(stores, places, reports);
}
