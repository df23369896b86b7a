import { documentFormatOf } from '../media-types/document-format.ts';
import { namesOf } from '../storage/disk/scan/scan-protocol.ts';
import type {
  FileColumns,
  FilesRequest,
  FilesResponse,
  FolderFiles,
  FolderFilesRequest,
  FolderFilesResponse,
} from './catalogue-protocol.ts';
import { type Columns, noEntry, rootEntry } from './columns/columns.ts';
import { fileKind } from './columns/entry-kinds.ts';

/** The maximum number of entries that are examined at once, and of files that are returned. */
const maxExamined = 50_000;
const maxReturned = 2_000;

/** Collects files as columns. */
class FileCollector {
  readonly #names: string[] = [];
  readonly #sizes: number[] = [];
  readonly #times: number[] = [];

  get count(): number {
    return this.#names.length;
  }

  add(name: string, size: number, time: number): void {
    this.#names.push(name);
    this.#sizes.push(size);
    this.#times.push(time);
  }

  columns(): FileColumns {
    return {
      names: this.#names.join('\0'),
      sizes: Float64Array.from(this.#sizes),
      times: Float64Array.from(this.#times),
    };
  }
}

/** Whether an entry that is a file is a document. */
function isDocument(columns: Columns, entry: number, name: string): boolean {
  return documentFormatOf(name, columns.sizeOf(entry)) !== null;
}

const isFile = (columns: Columns, entry: number): boolean =>
  columns.kindOf(entry) === fileKind && !columns.isRemoved(entry);

/** Returns the documents of the catalogue from an entry on, and the entry at which to continue; null at the end. */
function nextFiles(columns: Columns, from: number): FileColumns & { readonly next: number | null } {
  const collector = new FileCollector();
  const end = Math.min(columns.count, from + maxExamined);
  let parent = noEntry;
  let folder = '';
  let entry = from;
  for (; entry < end && collector.count < maxReturned; entry++) {
    if (!isFile(columns, entry)) continue;
    const name = columns.nameOf(entry);
    if (!isDocument(columns, entry, name)) continue;
    if (columns.parentOf(entry) !== parent) {
      parent = columns.parentOf(entry);
      folder = columns.pathOf(parent);
    }
    collector.add(folder === '' ? name : `${folder}/${name}`, columns.sizeOf(entry), columns.timeOf(entry));
  }
  return { ...collector.columns(), next: entry < columns.count ? entry : null };
}

/** Returns the documents and folders directly in a folder. */
function filesIn(columns: Columns, path: string): FolderFiles {
  const top = columns.locate(namesOf(path));
  if (top === noEntry || !columns.isFolder(top)) return { folder: path, files: null, folders: [] };
  const collector = new FileCollector();
  const folders: string[] = [];
  for (const entry of columns.children(top)) {
    const name = columns.nameOf(entry);
    if (columns.isFolder(entry)) folders.push(name);
    else if (isFile(columns, entry) && isDocument(columns, entry, name))
      collector.add(name, columns.sizeOf(entry), columns.timeOf(entry));
  }
  return { folder: path, files: collector.columns(), folders };
}

/**
 * Responds with a part of the documents of the catalogue. `generation` counts the states of the columns in which entries have other
 * numbers; null while the columns are built.
 */
export function listFiles(
  { id, from }: FilesRequest,
  columns: Columns,
  generation: number | null,
): FilesResponse {
  if (generation === null || (from !== null && from.generation !== generation)) {
    const none = new FileCollector().columns();
    return { kind: 'files', id, state: generation === null ? 'building' : 'stale', ...none, next: null };
  }
  const { next, ...files } = nextFiles(columns, from?.entry ?? rootEntry + 1);
  const position = next === null ? null : { generation, entry: next };
  return { kind: 'files', id, state: 'read', ...files, next: position };
}

/** Responds with the documents and folders directly in folders. */
export const listFolderFiles = (
  { id, folders }: FolderFilesRequest,
  columns: Columns,
): FolderFilesResponse => ({
  kind: 'folderFiles',
  id,
  folders: folders.map((folder) => filesIn(columns, folder)),
});
