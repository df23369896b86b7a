import { entryTypes, type EntryType, type ListingRow } from '@filestead/contract/files';
import { naturalOrder } from '@filestead/contract/paths/natural-order';
import { nameOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { ListingModel } from '../../features/files/listing/model/listing-model.ts';
import { fileKind } from '../../ui/names/file-kind.ts';

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
  const unique = [...new Map(entries.map((entry) => [entry.path.slice(1), entry])).entries()];
  const rowsOf = (isFolder: boolean): ListingRow[] => {
    const part = unique.filter(([, entry]) => entry.isFolder === isFolder);
    return Array.from(naturalOrder(part.map(([path]) => path)), (index) => part[index])
      .filter((item) => item !== undefined)
      .map(([path, entry]) => rowOf(path, entry));
  };
  const folders = rowsOf(true);
  const files = rowsOf(false);
  model.batch(() => {
    model.open({
      path: rootPath,
      name: '',
      modified: '',
      numDirs: folders.length,
      numFiles: files.length,
      sorting: { by: 'name', asc: false },
      types: entryTypes,
    });
    model.append([...folders, ...files]);
    model.end();
    model.rank(unique.map(([path]) => model.find(path)).filter((id) => id !== null));
  });
}

function rowOf(
  path: string,
  { path: fullPath, isFolder, size, modifiedMs, type }: ScatteredEntry,
): ListingRow {
  const name = nameOf(fullPath);
  const implied = type ?? typesByKind.get(fileKind({ name, type: 'blob', isFolder: false })) ?? 'blob';
  return [
    path,
    isFolder ? 0 : (size ?? Number.NaN),
    modifiedMs ?? Number.NaN,
    entryTypes.indexOf(isFolder ? '' : implied),
  ];
}
