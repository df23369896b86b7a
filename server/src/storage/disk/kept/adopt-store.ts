import fs from 'node:fs';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { KeptEntry, VersionAnnotation, RecordedMove } from '../../kept/kept-entries.ts';
import { isKeptFolder, isKeptId } from '../../kept/kept-names.ts';
import { recordOf } from '../../kept/kept-record.ts';
import { at, closeFolder, type Folder, openFolder } from '../paths/folder.ts';
import { flushFolder } from '../paths/publish.ts';
import { ignoreErrno, syscalls } from '../paths/syscalls.ts';
import { trashName } from '../paths/temporary-names.ts';
import { closeTree, openTree } from '../trees/open-tree.ts';
import { ledgerFiles } from './ledger.ts';
import { moveRecord } from './record-note.ts';
import type { Store } from './store.ts';
import { isNoStore, type Stores } from './stores.ts';

/** The number of entries whose records are flushed together. */
const entriesAtOnce = 500;

/** A record for entries that are taken over from another installation. */
export type AdoptedRecord =
  | {
      readonly kind: 'entry';
      /** The entry as it is described from now on. */
      readonly entry: KeptEntry;
      /** Null if the entry is not a version, or has no annotation. */
      readonly annotation: VersionAnnotation | null;
      /** Whether its removal has been decided. */
      readonly isDoomed: boolean;
    }
  | ({ readonly kind: 'move' } & RecordedMove);

/** The outcome of {@link adoptEntries}. */
export interface AdoptionResult {
  readonly adopted: number;
  /** Entries without a record, which stay where they are. */
  readonly left: number;
}

/** Returns the ids of the installations that have a store in the folder `path`. */
export async function readInstallations(
  { scopeRoot }: Pick<Stores, 'scopeRoot'>,
  path: VirtualPath,
): Promise<string[]> {
  try {
    const { folder } = await openTree(scopeRoot, path);
    try {
      const top = await openFolder(scopeRoot.confinement, at(folder, trashName)).async();
      try {
        return (await fs.promises.readdir(at(top, '.'))).filter(isKeptId);
      } finally {
        closeFolder(top);
      }
    } finally {
      closeTree(scopeRoot, folder);
    }
  } catch (error) {
    if (isNoStore(error)) return [];
    throw error;
  }
}

const valuesOf = (record: AdoptedRecord, store: VirtualPath): object[] => {
  if (record.kind === 'move') return [moveRecord(record, store)];
  const { entry, annotation, isDoomed } = record;
  return [
    recordOf({ ...entry, store }),
    ...(annotation === null ? [] : [{ type: 'mark', id: entry.id, ...annotation }]),
    ...(isDoomed ? [{ type: 'doom', ids: [entry.id] }] : []),
  ];
};

async function moveEntries(own: Store, foreign: Store, entries: readonly KeptEntry[]): Promise<void> {
  const folders = new Set<Folder>();
  for (const { folder: name, storedName } of entries) {
    const from = await ignoreErrno(foreign.folder(name, { create: false }), 'ENOENT');
    if (from === undefined) continue;
    const to = await own.folder(name, { create: true });
    // It was moved already if an earlier attempt was interrupted.
    await ignoreErrno(syscalls.rename(at(from, storedName), at(to, storedName)), 'ENOENT');
    folders.add(from);
    folders.add(to);
  }
  for (const folder of folders) await flushFolder(folder);
}

/** Removes the empty folders and the records of the other installation. Returns the number of entries that are left. */
async function removeStore(foreign: Store): Promise<number> {
  let left = 0;
  for (const name of await fs.promises.readdir(at(foreign.things, '.'))) {
    if (!isKeptFolder(name)) continue;
    await foreign.removeFolderIfEmpty(name);
    const names = await ignoreErrno(fs.promises.readdir(at(foreign.things, name)), 'ENOENT');
    left += names?.length ?? 0;
  }
  if (left > 0) return left;
  for (const file of await ledgerFiles(foreign.ledgerFolder))
    await ignoreErrno(syscalls.unlink(at(foreign.ledgerFolder, file)), 'ENOENT');
  await foreign.removeIfEmpty();
  return 0;
}

/**
 * Moves entries from the store of another installation in the same folder into that of this one. Their records are flushed before:
 * after a crash an entry is in one of the stores, and the adoption can be repeated.
 */
export const adoptEntries = (
  own: Stores,
  foreign: Stores,
  path: VirtualPath,
  records: readonly AdoptedRecord[],
): Promise<AdoptionResult> =>
  own.withStore(
    path,
    (ownStore) =>
      foreign.withStore(path, async (foreignStore) => {
        let adopted = 0;
        for (let first = 0; first < records.length; first += entriesAtOnce) {
          const piece = records.slice(first, first + entriesAtOnce);
          const entries = piece.flatMap((record) => (record.kind === 'entry' ? [record.entry] : []));
          const time = Math.max(0, ...entries.map(({ keptAt }) => keptAt));
          const values = piece.flatMap((record) => valuesOf(record, path));
          await ownStore.ledger.append(values, time);
          await moveEntries(ownStore, foreignStore, entries);
          adopted += entries.length;
        }
        return { adopted, left: await removeStore(foreignStore) };
      }),
    { create: true },
  );
