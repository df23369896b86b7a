import fs from 'node:fs';
import { calls } from './calls.ts';
import { isTemporaryName } from './temporary-names.ts';

/** Above this size the journal is emptied as soon as nothing is unfinished. Bytes; a few hundred writes. */
const maxJournalBytes = 64 * 1024;

/** The place of an unfinished file or folder: names from the root of the storage, the temporary name last. */
export type TemporaryPlace = readonly string[];

/**
 * Remembers unfinished files in a file of the data folder, so that the next start removes those that a crash left behind,
 * and nothing else. One line when work begins (`+` and the place as JSON), one when it ends (`-` and the temporary name).
 */
export class TemporaryJournal {
  readonly #descriptor: number;
  readonly #unfinished = new Set<string>();
  #bytes = 0;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** Opens the journal `file` and gives what an earlier process left unfinished. */
  static open(file: string): { journal: TemporaryJournal; leftovers: TemporaryPlace[] } {
    const descriptor = fs.openSync(file, 'a+', 0o600);
    const journal = new TemporaryJournal(descriptor);
    return { journal, leftovers: readLeftovers(fs.readFileSync(file, 'utf8')) };
  }

  /** Must be done before the file or folder is made. */
  async begin(place: TemporaryPlace): Promise<void> {
    this.#unfinished.add(place.at(-1) ?? '');
    await this.#append(`+${JSON.stringify(place)}\n`);
  }

  /** The file has its final name, or is gone. Losing this line in a crash does no harm: nothing has the name any more. */
  end(place: TemporaryPlace): void {
    const name = place.at(-1) ?? '';
    this.#unfinished.delete(name);
    if (this.#unfinished.size === 0 && this.#bytes > maxJournalBytes) return this.clear();
    this.#append(`-${name}\n`).catch(() => undefined);
  }

  /** Forgets everything that was written so far. */
  clear(): void {
    fs.ftruncateSync(this.#descriptor, 0);
    this.#bytes = 0;
  }

  close(): void {
    fs.closeSync(this.#descriptor);
  }

  async #append(line: string): Promise<void> {
    this.#bytes += line.length;
    await calls.write(this.#descriptor, line);
  }
}

/** What was begun and not ended; broken lines (the crash may have cut one) are skipped. */
function readLeftovers(text: string): TemporaryPlace[] {
  const places = new Map<string, TemporaryPlace>();
  for (const line of text.split('\n')) {
    if (line.startsWith('-')) places.delete(line.slice(1));
    if (!line.startsWith('+')) continue;
    const place = parsePlace(line.slice(1));
    const name = place?.at(-1);
    if (place !== null && name !== undefined && isTemporaryName(name)) places.set(name, place);
  }
  return [...places.values()];
}

function parsePlace(json: string): string[] | null {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) && value.every((name) => typeof name === 'string') ? value : null;
  } catch {
    return null;
  }
}
