import type { FileColumns, FolderFiles } from '../../catalogue/catalogue-protocol.ts';
import { documentFormatOf } from '../../media-types/document-format.ts';
import type { FileState, PendingDocument } from '../contents-protocol.ts';
import { IndexDatabase } from './index-database.ts';

/** The states of a document: to be read, in the index, without text, and left alone because reading it failed too often. */
const pending = 0;
const indexed = 1;
const empty = 2;
const blocked = 3;

/** A document that was being read when the server ended this many times is left alone until it changes. */
const maxInterruptions = 2;
/** Texts are stored together when there are this many of them, or this many characters. */
const maxUnstored = 256;
const maxUnstoredLength = 1024 * 1024;
/** The number of pending documents that are looked up at once. */
const pendingAtOnce = 256;
/** Texts up to this size are read together, up to a number and a size; other documents may be malicious and are read alone (bytes). */
const maxSmallBytes = 128 * 1024;
const maxTogether = 32;
const maxTogetherBytes = 512 * 1024;

/** A document that contains the words of a search. */
export interface IndexedDocument extends FileState {
  /** From the served folder, without a leading slash. */
  readonly path: string;
}

/** A pending document, and how often the server ended while it was being read. */
interface QueuedDocument extends PendingDocument {
  readonly failures: number;
}

interface DocumentRow {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly time: number;
  readonly read_size: number | null;
  readonly read_time: number | null;
}

interface UnstoredText {
  readonly document: PendingDocument;
  readonly text: string | null;
  readonly read: FileState;
}

const pathOf = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** Splits a path into folder and name. */
function splitPath(path: string): [folder: string, name: string] {
  const slash = path.lastIndexOf('/');
  return [path.slice(0, Math.max(0, slash)), path.slice(slash + 1)];
}

/** The paths below a folder are greater than the first and less than the second text: `0` follows the slash. */
const rangeBelow = (folder: string): [string, string] => [`${folder}/`, `${folder}0`];

/** Yields the files of columns. */
function* filesOf({ names, sizes, times }: FileColumns): Generator<FileState & { readonly name: string }> {
  if (sizes.length === 0) return;
  for (const [i, name] of names.split('\0').entries())
    yield { name, size: sizes[i] ?? 0, time: times[i] ?? 0 };
}

/** Whether a document may be read together with others: a small text that has done no harm. */
function isSmallText({ path, size, failures }: QueuedDocument): boolean {
  const format = documentFormatOf(path.slice(path.lastIndexOf('/') + 1), size);
  return (format === 'text' || format === 'unknown') && size <= maxSmallBytes && failures === 0;
}

/** Whether a document is in the state in which it is known or was read. */
const isUnchanged = (row: DocumentRow, { size, time }: FileState): boolean =>
  (row.size === size && row.time === time) || (row.read_size === size && row.read_time === time);

/** Counts the documents that were being read when the server ended; for the second time they are left alone. Returns their numbers. */
function countInterrupted(database: IndexDatabase): number[] {
  const ids = (database.setting('reading') ?? '')
    .split(' ')
    .filter((id) => id !== '')
    .map(Number);
  if (ids.length === 0) return ids;
  database.inTransaction(() => {
    for (const id of ids) {
      database.run('UPDATE document SET failures = failures + 1 WHERE id = ?', id);
      database.run(
        `UPDATE document SET state = ${blocked} WHERE id = ? AND failures >= ${maxInterruptions}`,
        id,
      );
    }
    database.set('reading', '');
  });
  return ids;
}

/**
 * The index of the words in documents: an SQLite file of its own, which can be deleted at any time. The texts themselves are not
 * stored.
 */
export class ContentIndex {
  readonly #database: IndexDatabase;
  /** The documents of the list that is being compared; null outside of {@link listFiles}. */
  #listed: Set<number> | null = null;
  #queue: QueuedDocument[] = [];
  /** The documents that are being read. */
  readonly #reading = new Set<number>();
  /** The documents that were being read when the server ended: they are read again after the next opening. */
  readonly #deferred: Set<number>;
  #unstored: UnstoredText[] = [];
  #unstoredLength = 0;

  private constructor(database: IndexDatabase, interrupted: readonly number[]) {
    this.#database = database;
    this.#deferred = new Set(interrupted);
  }

  /**
   * Opens an index. One of another format or of another served folder, and a damaged one, is replaced by an empty one.
   *
   * @param root identifies the served folder
   */
  static open(file: string, root: string): ContentIndex {
    let interrupted: readonly number[] = [];
    const database = IndexDatabase.open(file, root, (opened) => (interrupted = countInterrupted(opened)));
    return new ContentIndex(database, interrupted);
  }

  // The files of the catalogue

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
      for (const { id } of missing) this.#remove(id);
    });
    this.#queue = [];
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
    this.#queue = [];
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
    for (const id of known.values()) this.#remove(id);
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
    for (const { id } of rows) this.#remove(id);
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
        this.#deferred.delete(row.id);
      }
      return row.id;
    }
    const { lastInsertRowid } = this.#database
      .prepare('INSERT INTO document (folder, name, size, time) VALUES (?, ?, ?, ?)')
      .run(folder, name, state.size, state.time);
    return Number(lastInsertRowid);
  }

  #remove(id: number): void {
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
        this.#remove(id);
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
    this.#queue = [];
  }

  // Reading documents

  /**
   * Returns the next documents to read, those that were changed last first: several small texts, or one other document. They are recorded
   * before they are read. None when all others are being read.
   */
  next(): PendingDocument[] {
    if (this.#queue.length === 0) this.#fillQueue();
    const documents: PendingDocument[] = [];
    let bytes = 0;
    for (let [first] = this.#queue; first !== undefined; [first] = this.#queue) {
      const isSmall = isSmallText(first);
      bytes += first.size;
      const isFull = !isSmall || documents.length >= maxTogether || bytes > maxTogetherBytes;
      if (documents.length > 0 && isFull) break;
      this.#queue.shift();
      const { id, path, size, time } = first;
      documents.push({ id, path, size, time });
      this.#reading.add(id);
      if (!isSmall) break;
    }
    this.#database.set('reading', [...this.#reading].join(' '));
    return documents;
  }

  /** Makes the documents that are being read pending again: reading them was interrupted. */
  release(): void {
    this.#reading.clear();
  }

  #fillQueue(): void {
    this.store();
    const busy = new Set([...this.#reading, ...this.#deferred]);
    this.#queue = this.#database
      .all<{
        id: number;
        folder: string;
        name: string;
        size: number;
        time: number;
        failures: number;
      }>(
        `SELECT id, folder, name, size, time, failures FROM document WHERE state = ${pending} ORDER BY time DESC LIMIT ${pendingAtOnce + busy.size}`,
      )
      .filter(({ id }) => !busy.has(id))
      .map(({ id, folder, name, size, time, failures }) => ({
        id,
        path: pathOf(folder, name),
        size,
        time,
        failures,
      }));
  }

  /** Adds the folded text of a document; null if it has none. It is stored together with others. */
  add(document: PendingDocument, text: string | null, read: FileState): void {
    this.#reading.delete(document.id);
    this.#unstored.push({ document, text: text?.trim() === '' ? null : text, read });
    this.#unstoredLength += text?.length ?? 0;
    if (this.#unstored.length >= maxUnstored || this.#unstoredLength >= maxUnstoredLength) this.store();
  }

  /** Records that a document needs too much time or memory. It is left alone until it changes. */
  fail({ id, size, time }: PendingDocument): void {
    this.#reading.delete(id);
    // One that was changed meanwhile is read again.
    this.#database.run(
      `UPDATE document SET state = ${blocked} WHERE id = ? AND size = ? AND time = ?`,
      id,
      size,
      time,
    );
  }

  /** Removes a document. */
  forget({ id }: PendingDocument): void {
    this.#reading.delete(id);
    this.#database.inTransaction(() => this.#remove(id));
  }

  /** Stores the texts that were added. */
  store(): void {
    const texts = this.#unstored;
    this.#unstored = [];
    this.#unstoredLength = 0;
    if (texts.length === 0) return;
    this.#database.inTransaction(() => {
      for (const { document, text, read } of texts) this.#storeText(document, text, read);
    });
  }

  #storeText({ id, size, time }: PendingDocument, text: string | null, read: FileState): void {
    const [row] = this.#database.all<{ size: number; time: number; state: number }>(
      'SELECT size, time, state FROM document WHERE id = ?',
      id,
    );
    // Removed or changed meanwhile: a changed document is read again.
    if (row === undefined || row.size !== size || row.time !== time || row.state !== pending) return;
    this.#database.run('DELETE FROM content WHERE rowid = ?', id);
    if (text !== null) this.#database.run('INSERT INTO content (rowid, text) VALUES (?, ?)', id, text);
    this.#database.run(
      'UPDATE document SET state = ?, read_size = ?, read_time = ? WHERE id = ?',
      text === null ? empty : indexed,
      read.size,
      read.time,
      id,
    );
  }

  /** The share of the documents that have been read, from 0 to 1. */
  progress(): number {
    const count = (where: string): number =>
      this.#database.all<{ count: number }>(`SELECT count(*) AS count FROM document ${where}`)[0]?.count ?? 0;
    const waiting = count(`WHERE state = ${pending}`) - this.#deferred.size;
    return waiting <= 0 ? 1 : 1 - waiting / count('');
  }

  // Searching

  /**
   * Yields the documents below a folder that match an expression of {@link matchExpression}, the best first.
   *
   * @param folder without a leading slash; empty for all
   */
  *search(expression: string, folder: string): Generator<IndexedDocument> {
    const [from, to] = rangeBelow(folder);
    const isWhole = folder === '';
    const rows = this.#database
      .prepare(
        `SELECT folder, name, read_size AS size, read_time AS time FROM content JOIN document ON document.id = content.rowid
       WHERE content MATCH ? AND state = ${indexed} ${isWhole ? '' : 'AND (folder = ? OR (folder > ? AND folder < ?))'}
       ORDER BY rank`,
      )
      .iterate(expression, ...(isWhole ? [] : [folder, from, to]));
    for (const row of rows) {
      const {
        folder: parent,
        name,
        size,
        time,
      } = row as { folder: string; name: string; size: number; time: number };
      yield { path: pathOf(parent, name), size, time };
    }
  }

  /** Stores what was added and closes the file. */
  close(): void {
    this.store();
    this.#database.set('reading', '');
    this.#database.close();
  }
}
