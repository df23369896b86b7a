import type { FileColumns, FolderFiles } from '../../catalogue/catalogue-protocol.ts';
import { documentFormatOf } from '../../media-types/document-format.ts';
import type { FileState, PendingDocument } from '../contents-protocol.ts';
import { blocked, DocumentList, empty, indexed, pathOf, pending, rangeBelow } from './document-list.ts';
import { IndexDatabase } from './index-database.ts';

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

interface UnstoredText {
  readonly document: PendingDocument;
  readonly text: string | null;
  readonly read: FileState;
}

/** Whether a document may be read together with others: a small text that has done no harm. */
function isSmallText({ path, size, failures }: QueuedDocument): boolean {
  const format = documentFormatOf(path.slice(path.lastIndexOf('/') + 1), size);
  return (format === 'text' || format === 'unknown') && size <= maxSmallBytes && failures === 0;
}

/** Counts an interruption of each document that was being read when the server ended; blocks those with too many. Returns their ids. */
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
  readonly #documents: DocumentList;
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
    this.#documents = new DocumentList(database, (id) => this.#deferred.delete(id));
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

  /** As {@link DocumentList.listFiles}. */
  listFiles(files: FileColumns, options: { readonly isFirst: boolean; readonly isLast: boolean }): void {
    this.#documents.listFiles(files, options);
    if (options.isLast) this.#queue = [];
  }

  /** Compares the documents of folders. */
  listFolders(folders: readonly FolderFiles[]): void {
    this.#documents.listFolders(folders);
    this.#queue = [];
  }

  /** Records that a file or folder was renamed or moved. */
  move(from: string, to: string): void {
    this.#documents.move(from, to);
    this.#queue = [];
  }

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

  /** Records that a document needs too much time or memory, or that the disk cannot read it. It is left alone until it changes. */
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

  /** Removes a document; one that was renamed since it was returned is read again. */
  forget({ id, path }: PendingDocument): void {
    this.#reading.delete(id);
    if (this.#documents.pathOf(id) === path) this.#database.inTransaction(() => this.#documents.remove(id));
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

  /** The fraction of the documents that have been read, from 0 to 1. */
  progress(): number {
    const count = (where: string): number =>
      this.#database.all<{ count: number }>(`SELECT count(*) AS count FROM document ${where}`)[0]?.count ?? 0;
    // Not all that were deferred are pending still: others were removed, or are left alone.
    const deferred = [...this.#deferred].join(',');
    const waiting = count(`WHERE state = ${pending} AND id NOT IN (${deferred})`);
    return waiting <= 0 ? 1 : 1 - waiting / count('');
  }

  /**
   * Yields the documents below a folder that match an expression of `matchExpression`, the best first.
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
