import { entryTypes, type EntryType, type ListingRow } from '@filestead/contract/files';
import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { ListingModel } from '../../features/files/listing/model/listing-model.ts';
import { fileKind } from '../../ui/names/file-kind.ts';
import { listRows } from './list-rows.ts';

/** An entry of any folder. */
export interface ScatteredEntry {
  readonly path: VirtualPath;
  readonly isFolder: boolean;
  /** Bytes; null if unknown. */
  readonly size: number | null;
  /** Unix milliseconds; null if unknown. */
  readonly modifiedMs: number | null;
  /** Null if unknown. */
  readonly type: EntryType | null;
}

/** The types that names imply, for servers whose search reports none. */
const typesByKind = new Map<string, EntryType>([
  ['image', 'image'],
  ['audio', 'audio'],
  ['video', 'video'],
  ['pdf', 'pdf'],
]);

/** Lists entries of several folders in the given order, each known to the model by its path from the root. */
export function listEntries(model: ListingModel, entries: readonly ScatteredEntry[]): void {
  const unique = [...new Map(entries.map((entry) => [nameInModel(entry), entry])).values()];
  model.batch(() => {
    listRows(model, unique, { nameOf: nameInModel, isFolder: ({ isFolder }) => isFolder, rowOf });
    model.rank(unique.map((entry) => model.find(nameInModel(entry))).filter((id) => id !== null));
  });
}

const nameInModel = ({ path }: ScatteredEntry): string => path.slice(1);

function rowOf(entry: ScatteredEntry): ListingRow {
  const { path, isFolder, size, modifiedMs, type } = entry;
  const implied =
    type ?? typesByKind.get(fileKind({ name: nameOf(path), type: 'blob', isFolder: false })) ?? 'blob';
  return [
    nameInModel(entry),
    isFolder ? 0 : (size ?? Number.NaN),
    modifiedMs ?? Number.NaN,
    entryTypes.indexOf(isFolder ? '' : implied),
  ];
}
