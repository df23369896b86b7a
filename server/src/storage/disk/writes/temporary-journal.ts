import fs from 'node:fs';
import { AppError } from '../../../errors.ts';
import { jsonOrNull } from '../../json-or-null.ts';
import { syscalls } from '../paths/syscalls.ts';
import { isTemporaryName, newTemporaryName } from '../paths/temporary-names.ts';

/** Above this size (bytes; a few hundred writes) the journal is truncated as soon as it has no open record. */
const maxJournalBytes = 64 * 1024;

/** Time after which the ends of work are written when no other line takes them along, in milliseconds. */
const endingDelayMs = 100;

/** The path of an unfinished file or folder: names from the root of the storage, the temporary name last. */
export type TemporaryPlace = readonly string[];

/** An empty entry that reserves a name until it is replaced. Both paths are names from the root of the storage. */
export interface Placeholder {
  readonly place: readonly string[];
  /** The entry that is going to replace the placeholder. While it exists, the rename has not happened. */
  readonly source: readonly string[];
}

/** The source of a move between file systems, renamed to a temporary name in its own folder while it is being removed. */
export interface PendingRemoval {
  /** Its original path: names from the root of the storage. */
  readonly place: readonly string[];
  /** Its current name. */
  readonly temporaryName: string;
  /** The inode of its parent folder. A different inode at that path means that the file system is not mounted. */
  readonly folderInode: string;
}

/** A line of the journal that another thread writes. */
export interface JournalEntry {
  /** The descriptor of the journal, opened for appending. */
  readonly descriptor: number;
  readonly text: string;
}

/** The open records of an earlier process. */
export interface Leftovers {
  readonly unfinished: readonly TemporaryPlace[];
  readonly placeholders: readonly Placeholder[];
  readonly removals: readonly PendingRemoval[];
}

/**
 * Records unfinished files in a file of the data folder, so that the next start removes those that a crash left behind, and
 * nothing else, and restores the names of pending removals. One line when work begins (`+` and the path as JSON, `=` with the
 * key and both paths of a placeholder, or `>` with a pending removal), one when it ends (`-` and the temporary name or key).
 */
export class TemporaryJournal {
  readonly #file: string;
  #descriptor: number;
  readonly #unfinished = new Set<string>();
  /** The lines of ended work that are not written yet. */
  #endings: string[] = [];
  #endingTimer: NodeJS.Timeout | null = null;
  /** The write of {@link #endings} in progress. */
  #writing: Promise<unknown> = Promise.resolve();
  #bytes = 0;

  constructor(file: string) {
    this.#file = file;
    this.#descriptor = fs.openSync(file, 'a+', 0o600);
  }

  /** Opens the journal `file` and returns the open records of an earlier process. */
  static open(file: string): { journal: TemporaryJournal; leftovers: Leftovers } {
    const journal = new TemporaryJournal(file);
    return { journal, leftovers: readLeftovers(fs.readFileSync(file, 'utf8')) };
  }

  /** Must be awaited before the file or folder is created. */
  begin(place: TemporaryPlace): Promise<void> {
    return this.#begin(place.at(-1) ?? '', `+${JSON.stringify(place)}`);
  }

  /** As {@link begin}, for a file that another thread creates: it must write the returned bytes to the descriptor first. */
  beginElsewhere(place: TemporaryPlace): JournalEntry {
    this.#unfinished.add(place.at(-1) ?? '');
    const text = `${this.#takeEndings()}\n+${JSON.stringify(place)}\n`;
    this.#bytes += Buffer.byteLength(text);
    return { descriptor: this.#descriptor, text };
  }

  /** To be called when the file was renamed or removed. Losing this line in a crash is harmless: no entry has the name. */
  end(place: TemporaryPlace): void {
    this.#end(place.at(-1) ?? '');
  }

  /** Records the placeholder while `work` creates it and then replaces or removes it. */
  async runWithPlaceholder<T>({ place, source }: Placeholder, work: () => Promise<T>): Promise<T> {
    const key = newTemporaryName();
    await this.#begin(key, `=${JSON.stringify([key, place, source])}`);
    try {
      return await work();
    } finally {
      this.#end(key);
    }
  }

  /** Must be awaited before the source is renamed. Flushed, because after a power failure the entry could not be found otherwise. */
  async beginRemoval({ place, temporaryName, folderInode }: PendingRemoval): Promise<void> {
    await this.#begin(temporaryName, `>${JSON.stringify([temporaryName, place, folderInode])}`);
    try {
      await syscalls.fdatasync(this.#descriptor);
    } catch (error) {
      this.#end(temporaryName);
      throw error;
    }
  }

  /**
   * To be called when no entry has the temporary name. Resolves once the line is written: a start that finds the record open
   * after its folder was removed could not tell this from a file system that is not mounted, and would keep it for good.
   */
  async endRemoval({ temporaryName }: PendingRemoval): Promise<void> {
    this.#end(temporaryName);
    this.#writeEndings();
    await this.#writing;
  }

  /** Discards all records except `kept`. No work may be in progress. */
  async restart(kept: Pick<Leftovers, 'unfinished' | 'removals'>): Promise<void> {
    this.#takeEndings();
    await this.#writing;
    const { unfinished, removals } = kept;
    if (unfinished.length + removals.length === 0) return this.#clear();
    for (const place of unfinished) this.#unfinished.add(place.at(-1) ?? '');
    for (const { temporaryName } of removals) this.#unfinished.add(temporaryName);
    const lines = [
      ...unfinished.map((place) => `+${JSON.stringify(place)}`),
      ...removals.map(
        ({ place, temporaryName, folderInode }) => `>${JSON.stringify([temporaryName, place, folderInode])}`,
      ),
    ];
    // A crash must not lose the lines, so they are written to a new file that replaces the old one.
    const fresh = `${this.#file}.new`;
    fs.writeFileSync(fresh, `${lines.join('\n')}\n`, { mode: 0o600, flush: true });
    fs.renameSync(fresh, this.#file);
    fs.closeSync(this.#descriptor);
    this.#descriptor = fs.openSync(this.#file, 'a+', 0o600);
  }

  #clear(): void {
    fs.ftruncateSync(this.#descriptor, 0);
    this.#bytes = 0;
  }

  /** Closes the file once no write is in progress. */
  close(): void {
    const descriptor = this.#descriptor;
    this.#writeEndings();
    // A write in progress would otherwise go to the next file that gets the same descriptor number.
    void this.#writing.then(() => fs.closeSync(descriptor));
  }

  async #begin(key: string, line: string): Promise<void> {
    this.#unfinished.add(key);
    try {
      await this.#append(line);
    } catch (error) {
      this.#unfinished.delete(key);
      throw error;
    }
  }

  /** The line is written with the next one, or a moment later: a start that finds it missing finds no entry of that name either. */
  #end(key: string): void {
    this.#unfinished.delete(key);
    if (this.#unfinished.size === 0 && this.#bytes > maxJournalBytes) {
      this.#takeEndings();
      return this.#clear();
    }
    this.#endings.push(`-${key}\n`);
    this.#endingTimer ??= setTimeout(() => this.#writeEndings(), endingDelayMs).unref();
  }

  #takeEndings(): string {
    if (this.#endingTimer !== null) clearTimeout(this.#endingTimer);
    this.#endingTimer = null;
    if (this.#endings.length === 0) return '';
    const text = `\n${this.#endings.join('')}`;
    this.#endings = [];
    return text;
  }

  #writeEndings(): void {
    const text = this.#takeEndings();
    if (text === '') return;
    this.#bytes += text.length;
    const written = syscalls.write(this.#descriptor, Buffer.from(text)).catch(() => undefined);
    this.#writing = Promise.all([this.#writing, written]);
  }

  /** Each line begins with a line end, because a full disk may have truncated the one before. Throws when it is truncated itself. */
  async #append(line: string): Promise<void> {
    const bytes = Buffer.from(`${this.#takeEndings()}\n${line}\n`);
    this.#bytes += bytes.length;
    const { bytesWritten } = await syscalls.write(this.#descriptor, bytes);
    if (bytesWritten < bytes.length) throw new AppError('storage_full');
  }
}

/** The records that were begun and not ended. Invalid lines are skipped, because a crash may have truncated one. */
function readLeftovers(text: string): Leftovers {
  const unfinished = new Map<string, TemporaryPlace>();
  const placeholders = new Map<string, Placeholder>();
  const removals = new Map<string, PendingRemoval>();
  for (const line of text.split('\n')) {
    const rest = line.slice(1);
    if (line.startsWith('-')) {
      unfinished.delete(rest);
      placeholders.delete(rest);
      removals.delete(rest);
    } else if (line.startsWith('+')) {
      const place = jsonOrNull(rest);
      const name = isPlace(place) ? place.at(-1) : undefined;
      if (isPlace(place) && name !== undefined && isTemporaryName(name)) unfinished.set(name, place);
    } else if (line.startsWith('=')) {
      const [key, place, source] = asArray(jsonOrNull(rest));
      if (typeof key === 'string' && isPlace(place) && isPlace(source))
        placeholders.set(key, { place, source });
    } else if (line.startsWith('>')) {
      const [temporaryName, place, folderInode] = asArray(jsonOrNull(rest));
      if (typeof temporaryName !== 'string' || !isTemporaryName(temporaryName)) continue;
      if (isPlace(place) && typeof folderInode === 'string')
        removals.set(temporaryName, { place, temporaryName, folderInode });
    }
  }
  return {
    unfinished: [...unfinished.values()],
    placeholders: [...placeholders.values()],
    removals: [...removals.values()],
  };
}

const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const isPlace = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string');
