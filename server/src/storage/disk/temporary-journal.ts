import fs from 'node:fs';
import { AppError } from '../../http/app-error.ts';
import { calls } from './calls.ts';
import { isTemporaryName, newTemporaryName } from './temporary-names.ts';

/** Above this size the journal is emptied as soon as nothing is unfinished. Bytes; a few hundred writes. */
const maxJournalBytes = 64 * 1024;

/** The place of an unfinished file or folder: names from the root of the storage, the temporary name last. */
export type TemporaryPlace = readonly string[];

/** Something empty that holds a name until a finished thing takes it; both by their names from the root of the storage. */
export interface StandIn {
  readonly place: readonly string[];
  /** What takes the name. As long as it is there, it has not. */
  readonly source: readonly string[];
}

/** What an earlier process left. */
export interface Leftovers {
  readonly unfinished: readonly TemporaryPlace[];
  readonly standIns: readonly StandIn[];
}

/**
 * Remembers unfinished files in a file of the data folder, so that the next start removes those that a crash left behind,
 * and nothing else. One line when work begins (`+` and the place as JSON, or `=` with the key and both places of a stand-in),
 * one when it ends (`-` and the temporary name or key).
 */
export class TemporaryJournal {
  readonly #descriptor: number;
  readonly #unfinished = new Set<string>();
  #bytes = 0;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** Opens the journal `file` and gives what an earlier process left unfinished. */
  static open(file: string): { journal: TemporaryJournal; leftovers: Leftovers } {
    const descriptor = fs.openSync(file, 'a+', 0o600);
    const journal = new TemporaryJournal(descriptor);
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

  /** Forgets everything that was written so far. */
  clear(): void {
    fs.ftruncateSync(this.#descriptor, 0);
    this.#bytes = 0;
  }

  close(): void {
    fs.closeSync(this.#descriptor);
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
    if (this.#unfinished.size === 0 && this.#bytes > maxJournalBytes) return this.clear();
    this.#append(`-${key}`).catch(() => undefined);
  }

  /** A full disk may have cut the line before, so each begins with its own line end. Throws when it is cut itself. */
  async #append(line: string): Promise<void> {
    const bytes = Buffer.from(`\n${line}\n`);
    this.#bytes += bytes.length;
    const { bytesWritten } = await calls.write(this.#descriptor, bytes);
    if (bytesWritten < bytes.length) throw new AppError('storage_full');
  }
}

/** What was begun and not ended; broken lines (the crash may have cut one) are skipped. */
function readLeftovers(text: string): Leftovers {
  const unfinished = new Map<string, TemporaryPlace>();
  const standIns = new Map<string, StandIn>();
  for (const line of text.split('\n')) {
    const rest = line.slice(1);
    if (line.startsWith('-')) {
      unfinished.delete(rest);
      standIns.delete(rest);
    } else if (line.startsWith('+')) {
      const place = parse(rest);
      const name = isPlace(place) ? place.at(-1) : undefined;
      if (isPlace(place) && name !== undefined && isTemporaryName(name)) unfinished.set(name, place);
    } else if (line.startsWith('=')) {
      const [key, place, source] = asArray(parse(rest));
      if (typeof key === 'string' && isPlace(place) && isPlace(source)) standIns.set(key, { place, source });
    }
  }
  return { unfinished: [...unfinished.values()], standIns: [...standIns.values()] };
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
