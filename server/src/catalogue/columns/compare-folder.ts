import { documentFormatOf } from '../../media-types/document-format.ts';
import { namesOf, type ScannedFolder } from '../../storage/disk/scan/scan-protocol.ts';
import { type Columns, noEntry, rootEntry } from './columns.ts';
import { type EntryData, folderKind } from './entry-kinds.ts';

/** The entries of a folder that was read. */
export function* entriesOf({ names, kinds, sizes, blocks, times }: ScannedFolder): Generator<EntryData> {
  if (kinds.length === 0) return;
  for (const [i, name] of names.split('\0').entries())
    yield {
      name,
      kind: kinds[i] ?? 0,
      size: sizes[i] ?? 0,
      blocks: blocks[i] ?? 0,
      time: times[i] ?? 0,
    };
}

/** The result of comparing a folder with the catalogue. */
export interface FolderChange {
  /** The paths of folders that are new in the catalogue and have to be read. */
  readonly added: readonly string[];
  readonly isChanged: boolean;
  /** Whether a document or a folder was added, changed or removed, or the folder itself is gone. */
  readonly hasChangedDocuments: boolean;
  /** Entries were left out because the catalogue is full. */
  readonly isCut: boolean;
}

const unchanged: FolderChange = { added: [], isChanged: false, hasChangedDocuments: false, isCut: false };

/** Options of {@link compareFolder}. */
export interface CompareOptions {
  /** The maximum number of entries of the catalogue. */
  readonly maxEntries: number;
  /** Entries whose paths have more names are left out. */
  readonly maxDepth: number;
  /** Unix seconds. */
  readonly now: number;
}

/**
 * Updates one folder of the complete catalogue to the entries that were read: all, or those with some names. A folder whose parent is not in the
 * catalogue is ignored.
 */
export function compareFolder(
  columns: Columns,
  scanned: ScannedFolder,
  { now, ...limits }: CompareOptions,
): FolderChange {
  const entry = columns.locate(namesOf(scanned.path));
  if (entry === noEntry || !columns.isFolder(entry)) return unchanged;
  const slot = columns.slotOf(entry);
  if (scanned.state === 'gone') {
    // Reading its parent shows whether another entry has the name now. A missing root is not removed: another folder takes
    // its place.
    if (entry === rootEntry) return unchanged;
    columns.remove(entry);
    return { ...unchanged, isChanged: true, hasChangedDocuments: true };
  }
  // The time of the last whole reading remains: the next sweep reads the folder if it has changed since.
  if (scanned.missing === undefined) columns.folders.checked[slot] = now;
  if (scanned.state === 'unreadable') return unchanged;
  const { modified } = scanned;
  const isTouched = !Number.isNaN(modified) && entry !== rootEntry && columns.timeOf(entry) !== modified;
  if (isTouched) columns.update(entry, { size: 0, blocks: 0, time: modified });
  if (scanned.missing === undefined) columns.folders.times[slot] = scanned.time;
  const change = compareEntries(columns, entry, scanned, limits);
  return isTouched ? { ...change, isChanged: true } : change;
}

function compareEntries(
  columns: Columns,
  folder: number,
  scanned: ScannedFolder,
  { maxEntries, maxDepth }: Omit<CompareOptions, 'now'>,
): FolderChange {
  // Of a large folder into which many files are uploaded, only the names that were read are decoded.
  const known =
    scanned.missing === undefined
      ? columns.childrenByName(folder)
      : columns.findAll(folder, [...scanned.names.split('\0'), ...scanned.missing]);
  const prefix = scanned.path === '' ? '' : `${scanned.path}/`;
  const isTooDeep = namesOf(scanned.path).length >= maxDepth;
  const added: string[] = [];
  let isChanged = false;
  let hasChangedDocuments = false;
  let isCut = false;
  /** Records a former or present state of an entry that is different now. */
  const record = (name: string, kind: number, size: number): void => {
    isChanged = true;
    hasChangedDocuments ||= kind === folderKind || documentFormatOf(name, size) !== null;
  };
  const insert = (data: EntryData): void => {
    if (isTooDeep || columns.count - columns.removed >= maxEntries) {
      isCut = true;
      return;
    }
    columns.insert(folder, data);
    if (data.kind === folderKind) added.push(prefix + data.name);
    record(data.name, data.kind, data.size);
  };
  const fresh: EntryData[] = [];
  for (const data of entriesOf(scanned)) {
    const child = known.get(data.name);
    if (child === undefined || columns.kindOf(child) !== data.kind) {
      fresh.push(data);
      continue;
    }
    known.delete(data.name);
    if (isDifferent(columns, child, data)) {
      if (data.kind === folderKind) isChanged = true;
      else {
        record(data.name, data.kind, columns.sizeOf(child));
        record(data.name, data.kind, data.size);
      }
    }
    columns.update(child, data);
  }
  for (const [name, child] of known) {
    record(name, columns.kindOf(child), columns.sizeOf(child));
    columns.remove(child);
  }
  // In a full catalogue they take the room of those that were removed.
  for (const data of fresh) insert(data);
  return { added, isChanged, hasChangedDocuments, isCut };
}

const isDifferent = (columns: Columns, entry: number, data: EntryData): boolean =>
  columns.timeOf(entry) !== data.time ||
  (data.kind !== folderKind &&
    (columns.sizeOf(entry) !== data.size || columns.blocksOf(entry) !== data.blocks));
