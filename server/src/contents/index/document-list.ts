import type { FileColumns, FolderFiles } from '../../catalogue/catalogue-protocol.ts';
import type { FileState } from '../contents-protocol.ts';
import type { IndexDatabase } from './index-database.ts';

/** The states of a document: to be read, in the index, without text, and left alone because reading it failed too often. */
export const pending = 0;
export const indexed = 1;
export const empty = 2;
export const blocked = 3;

interface DocumentRow {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly time: number;
  readonly read_size: number | null;
  readonly read_time: number | null;
}

/** Returns the path of a document from the served folder. */
export const pathOf = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** Splits a path into folder and name. */
function splitPath(path: string): [folder: string, name: string] {
  const slash = path.lastIndexOf('/');
  return [path.slice(0, Math.max(0, slash)), path.slice(slash + 1)];
}

/** The paths below a folder are greater than the first and less than the second text: `0` follows the slash. */
export const rangeBelow = (folder: string): [string, string] => [`${folder}/`, `${folder}0`];

/** Yields the files of columns. */
function* filesOf({ names, sizes, times }: FileColumns): Generator<FileState & { readonly name: string }> {
  if (sizes.length === 0) return;
  for (const [i, name] of names.split('\0').entries())
    yield { name, size: sizes[i] ?? 0, time: times[i] ?? 0 };
}

/** Whether a document is in the state in which it is known or was read. */
const isUnchanged = (row: DocumentRow, { size, time }: FileState): boolean =>
  (row.size === size && row.time === time) || (row.read_size === size && row.read_time === time);

/** The list of the documents in an index, which is kept equal to the files of the catalogue. */
export class DocumentList {
  readonly #database: IndexDatabase;
  readonly #onChanged: (id: number) => void;
  /** The documents of the list that is being compared; null outside of {@link listFiles}. */
  #listed: Set<number> | null = null;

  /** @param onChanged is called with a document that has changed since it was listed before */
  constructor(database: IndexDatabase, onChanged: (id: number) => void) {
    this.#database = database;
    this.#onChanged = onChanged;
  }

  /** Compares a part of the list of all documents; after the last part, those that were not in the list are removed. */
  listFiles(
    files: FileColumns,
    { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
  ): void {
    if (isFirst) this.#listed = new Set();
    const listed = this.#listed;
    if (listed === null) return;
    this.#database.inTransaction(() => {
      for (const { name: path, ...state } of filesOf(files)) {
        const [folder, name] = splitPath(path);
        listed.add(this.#upsert(folder, name, state));
      }
    });
    if (!isLast) return;
    this.#listed = null;
    const missing = this.#database
      .all<{ id: number }>('SELECT id FROM document')
      .filter(({ id }) => !listed.has(id));
    this.#database.inTransaction(() => {
      for (const { id } of missing) this.remove(id);
    });
  }

  /** Compares the documents of folders. */
  listFolders(folders: readonly FolderFiles[]): void {
    this.#database.inTransaction(() => {
      for (const { folder, files, folders: inner } of folders) {
        if (files === null) this.#removeBelow(folder);
        else {
          this.#compareFolder(folder, files);
          this.#removeFoldersExcept(folder, new Set(inner));
        }
      }
    });
  }

  #compareFolder(folder: string, files: FileColumns): void {
    const known = new Map(
      this.#database
        .all<DocumentRow>('SELECT id, name FROM document WHERE folder = ?', folder)
        .map(({ id, name }) => [name, id]),
    );
    for (const { name, ...state } of filesOf(files)) {
      const id = this.#upsert(folder, name, state);
      this.#listed?.add(id);
      known.delete(name);
    }
    for (const id of known.values()) this.remove(id);
  }

  /** Removes the documents below those folders of a folder that no longer exist. */
  #removeFoldersExcept(folder: string, existing: ReadonlySet<string>): void {
    const prefix = folder === '' ? '' : `${folder}/`;
    const end = folder === '' ? '\u{10FFFF}' : rangeBelow(folder)[1];
    // The root itself has an empty path.
    for (let from = folder === '' ? '\u0001' : prefix; ;) {
      const [row] = this.#database.all<{ folder: string }>(
        'SELECT folder FROM document WHERE folder >= ? AND folder < ? ORDER BY folder LIMIT 1',
        from,
        end,
      );
      if (row === undefined) return;
      const [name = ''] = row.folder.slice(prefix.length).split('/', 1);
      const inner = prefix + name;
      if (!existing.has(name)) this.#removeBelow(inner);
      // A folder `a-b` is between `a` and `a/b`. Everything below `a` is skipped at once.
      from = row.folder === inner ? `${inner}\u0001` : rangeBelow(inner)[1];
    }
  }

  #removeBelow(folder: string): void {
    const [from, to] = rangeBelow(folder);
    const rows = this.#database.all<{ id: number }>(
      'SELECT id FROM document WHERE folder = ? UNION ALL SELECT id FROM document WHERE folder > ? AND folder < ?',
      folder,
      from,
      to,
    );
    for (const { id } of rows) this.remove(id);
  }

  /** Adds a document, or marks a changed one as pending. Returns its number. */
  #upsert(folder: string, name: string, state: FileState): number {
    const [row] = this.#database.all<DocumentRow>(
      'SELECT id, name, size, time, read_size, read_time FROM document WHERE folder = ? AND name = ?',
      folder,
      name,
    );
    if (row !== undefined) {
      if (!isUnchanged(row, state)) {
        this.#database.run(
          `UPDATE document SET size = ?, time = ?, read_size = NULL, read_time = NULL, state = ${pending}, failures = 0 WHERE id = ?`,
          state.size,
          state.time,
          row.id,
        );
        this.#onChanged(row.id);
      }
      return row.id;
    }
    const { lastInsertRowid } = this.#database
      .prepare('INSERT INTO document (folder, name, size, time) VALUES (?, ?, ?, ?)')
      .run(folder, name, state.size, state.time);
    return Number(lastInsertRowid);
  }

  /** Returns the path of a document; null if it is not in the list. */
  pathOf(id: number): string | null {
    const [row] = this.#database.all<{ folder: string; name: string }>(
      'SELECT folder, name FROM document WHERE id = ?',
      id,
    );
    return row === undefined ? null : pathOf(row.folder, row.name);
  }

  /** Removes a document and its words. */
  remove(id: number): void {
    this.#database.run('DELETE FROM content WHERE rowid = ?', id);
    this.#database.run('DELETE FROM document WHERE id = ?', id);
  }

  /** Records that a file or folder was renamed or moved. */
  move(from: string, to: string): void {
    const [fromFolder, fromName] = splitPath(from);
    const [toFolder, toName] = splitPath(to);
    const [start, end] = rangeBelow(from);
    this.#database.inTransaction(() => {
      // Anything at the destination was replaced.
      this.#removeBelow(to);
      for (const { id } of this.#database.all<{ id: number }>(
        'SELECT id FROM document WHERE folder = ? AND name = ?',
        toFolder,
        toName,
      ))
        this.remove(id);
      this.#database.run(
        'UPDATE document SET folder = ?, name = ? WHERE folder = ? AND name = ?',
        toFolder,
        toName,
        fromFolder,
        fromName,
      );
      this.#database.run(
        'UPDATE document SET folder = ? || substr(folder, ?) WHERE folder = ? OR (folder > ? AND folder < ?)',
        to,
        Array.from(from).length + 1,
        from,
        start,
        end,
      );
    });
  }
}
