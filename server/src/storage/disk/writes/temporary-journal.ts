import fs from 'node:fs';
import { AppError } from '../../../errors.ts';
import { syscalls } from '../paths/syscalls.ts';
import { isTemporaryName, newTemporaryName } from '../paths/temporary-names.ts';

/** Above this size the journal is emptied as soon as nothing is unfinished. Bytes; a few hundred writes. */
const maxJournalBytes = 64 * 1024;

/** The place of an unfinished file or folder: names from the root of the storage, the temporary name last. */
export type TemporaryPlace = readonly string[];

/** Something empty that holds a name until a finished thing takes it; both by their names from the root of the storage. */
export interface StandIn {
  readonly place: readonly string[];
  /** The entry that is about to get the name. While it exists, it has not got it. */
  readonly source: readonly string[];
}

/** The source of a move between disks, which has a reserved name in its own folder while it is being removed. */
export interface Aside {
  /** Its old name, with the folders above it from the root of the storage. */
  readonly place: readonly string[];
  /** The name that it has meanwhile. */
  readonly aside: string;
  /** The inode of the folder: when another is there, its disk is not mounted. */
  readonly folderInode: string;
}

/** The unfinished files of an earlier process. */
export interface Leftovers {
  readonly unfinished: readonly TemporaryPlace[];
  readonly standIns: readonly StandIn[];
  readonly asides: readonly Aside[];
}

/**
 * Remembers unfinished files in a file of the data folder, so that the next start removes those that a crash left behind,
 * and nothing else, and gives back its name to what was set aside. One line when work begins (`+` and the place as JSON, `=` with
 * the key and both places of a stand-in, or `>` with what was set aside), one when it ends (`-` and the temporary name or key).
 */
export class TemporaryJournal {
  readonly #file: string;
  #descriptor: number;
  readonly #unfinished = new Set<string>();
  /** Lines that are being written without anybody waiting for them. */
  readonly #endings = new Set<Promise<unknown>>();
  #bytes = 0;

  constructor(file: string) {
    this.#file = file;
    this.#descriptor = fs.openSync(file, 'a+', 0o600);
  }

  /** Opens the journal `file` and gives what an earlier process left unfinished. */
  static open(file: string): { journal: TemporaryJournal; leftovers: Leftovers } {
    const journal = new TemporaryJournal(file);
    return { journal, leftovers: readLeftovers(fs.readFileSync(file, 'utf8')) };
  }

  /** Must be done before the file or folder is made. */
  begin(place: TemporaryPlace): Promise<void> {
    return this.#begin(place.at(-1) ?? '', `+${JSON.stringify(place)}`);
  }

  /** The file has its final name, or is gone. Losing this line in a crash does no harm: nothing has the name any more. */
  end(place: TemporaryPlace): void {
    this.#end(place.at(-1) ?? '');
  }

  /** Does `work`, which makes a stand-in and puts its source in its place, or removes it again. */
  async duringStandIn<T>({ place, source }: StandIn, work: () => Promise<T>): Promise<T> {
    const key = newTemporaryName();
    await this.#begin(key, `=${JSON.stringify([key, place, source])}`);
    try {
      return await work();
    } finally {
      this.#end(key);
    }
  }

  /** Must be done before the thing gets its reserved name; outlasts a power cut, for nobody would find the thing otherwise. */
  async beginAside({ place, aside, folderInode }: Aside): Promise<void> {
    await this.#begin(aside, `>${JSON.stringify([aside, place, folderInode])}`);
    try {
      await syscalls.fdatasync(this.#descriptor);
    } catch (error) {
      this.#end(aside);
      throw error;
    }
  }

  /** Nothing has the reserved name any more. */
  endAside({ aside }: Aside): void {
    this.#end(aside);
  }

  /** Forgets everything that was written so far but `kept`. Nothing may be under way. */
  async restart(kept: Pick<Leftovers, 'unfinished' | 'asides'>): Promise<void> {
    await Promise.all(this.#endings);
    const { unfinished, asides } = kept;
    if (unfinished.length + asides.length === 0) return this.#clear();
    for (const place of unfinished) this.#unfinished.add(place.at(-1) ?? '');
    for (const { aside } of asides) this.#unfinished.add(aside);
    const lines = [
      ...unfinished.map((place) => `+${JSON.stringify(place)}`),
      ...asides.map(({ place, aside, folderInode }) => `>${JSON.stringify([aside, place, folderInode])}`),
    ];
    // A crash in between must not lose the lines, so they are written beside and take the place of the old ones.
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

  close(): void {
    const descriptor = this.#descriptor;
    // A line that is still on its way would go to whatever file gets the number of the descriptor next.
    if (this.#endings.size === 0) fs.closeSync(descriptor);
    else void Promise.all(this.#endings).then(() => fs.closeSync(descriptor));
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

  #end(key: string): void {
    this.#unfinished.delete(key);
    if (this.#unfinished.size === 0 && this.#bytes > maxJournalBytes) return this.#clear();
    const ending: Promise<unknown> = this.#append(`-${key}`)
      .catch(() => undefined)
      .finally(() => this.#endings.delete(ending));
    this.#endings.add(ending);
  }

  /** A full disk may have cut the line before, so each begins with its own line end. Throws when it is cut itself. */
  async #append(line: string): Promise<void> {
    const bytes = Buffer.from(`\n${line}\n`);
    this.#bytes += bytes.length;
    const { bytesWritten } = await syscalls.write(this.#descriptor, bytes);
    if (bytesWritten < bytes.length) throw new AppError('storage_full');
  }
}

/** The records that were begun and not ended. Broken lines are skipped: a crash may have cut one. */
function readLeftovers(text: string): Leftovers {
  const unfinished = new Map<string, TemporaryPlace>();
  const standIns = new Map<string, StandIn>();
  const asides = new Map<string, Aside>();
  for (const line of text.split('\n')) {
    const rest = line.slice(1);
    if (line.startsWith('-')) {
      unfinished.delete(rest);
      standIns.delete(rest);
      asides.delete(rest);
    } else if (line.startsWith('+')) {
      const place = parse(rest);
      const name = isPlace(place) ? place.at(-1) : undefined;
      if (isPlace(place) && name !== undefined && isTemporaryName(name)) unfinished.set(name, place);
    } else if (line.startsWith('=')) {
      const [key, place, source] = asArray(parse(rest));
      if (typeof key === 'string' && isPlace(place) && isPlace(source)) standIns.set(key, { place, source });
    } else if (line.startsWith('>')) {
      const [aside, place, folderInode] = asArray(parse(rest));
      if (typeof aside !== 'string' || !isTemporaryName(aside)) continue;
      if (isPlace(place) && typeof folderInode === 'string') asides.set(aside, { place, aside, folderInode });
    }
  }
  return {
    unfinished: [...unfinished.values()],
    standIns: [...standIns.values()],
    asides: [...asides.values()],
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const isPlace = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string');
