import fs from 'node:fs';
import { AppError } from '../../../errors.ts';
import { jsonOrNull } from '../../json-or-null.ts';
import { at, type Folder } from '../paths/folder.ts';
import { flushFolder } from '../paths/publish.ts';
import { ignoreErrno, syscalls } from '../paths/syscalls.ts';

const filePattern = /^\d{4}-\d{2}\.jsonl$/;
const positionPattern = /^(\d{4}-\d{2}\.jsonl):(\d{1,15})$/;

/** The size of one read of a ledger (bytes). */
const readBytes = 256 * 1024;

/** Lines that wait to be written. */
interface PendingLines {
  readonly text: string;
  readonly file: string;
  readonly mustFlush: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A value that was read from a ledger, and the position after it. */
export interface LedgerLine {
  readonly value: unknown;
  readonly position: string;
}

const fileOf = (time: number): string => `${new Date(time).toISOString().slice(0, 7)}.jsonl`;

/** The names of the ledger files, oldest first. */
export async function ledgerFiles(folder: Folder): Promise<string[]> {
  const names = await fs.promises.readdir(at(folder, '.'));
  return names.filter((name) => filePattern.test(name)).toSorted();
}

/**
 * The records of a store: a file of JSON lines for each month. Records that are appended while a flush is running share the
 * next one. Each line begins with a line end, because a crash may have cut the one before.
 */
export class Ledger {
  readonly #folder: Folder;
  /** The latest file. Records never go to an older one, also when the clock is set back. */
  #latest: string;
  #open: { readonly file: string; readonly descriptor: number } | null = null;
  #pending: PendingLines[] = [];
  #writing: Promise<void> | null = null;
  /** The number of flushes, for tests and measurements. */
  flushes = 0;

  private constructor(folder: Folder, latest: string) {
    this.#folder = folder;
    this.#latest = latest;
  }

  /** Opens the ledger in `folder`, which the caller closes after the ledger. */
  static async open(folder: Folder): Promise<Ledger> {
    return new Ledger(folder, (await ledgerFiles(folder)).at(-1) ?? '');
  }

  /** Appends records; resolves once they would survive a power failure. */
  append(records: readonly object[], time: number): Promise<void> {
    return this.#push(records, time, true);
  }

  /** Appends records that a later start could find out by itself. */
  appendUnflushed(records: readonly object[], time: number): void {
    void this.#push(records, time, false).catch(() => undefined);
  }

  #push(records: readonly object[], time: number, mustFlush: boolean): Promise<void> {
    const wanted = fileOf(time);
    if (wanted > this.#latest) this.#latest = wanted;
    const text = records.map((record) => `\n${JSON.stringify(record)}\n`).join('');
    return new Promise((resolve, reject) => {
      this.#pending.push({ text, file: this.#latest, mustFlush, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#pending.length > 0) {
      const file = this.#pending[0]?.file ?? this.#latest;
      const batch = this.#pending.filter((lines) => lines.file === file);
      this.#pending = this.#pending.filter((lines) => lines.file !== file);
      try {
        const descriptor = await this.#descriptorOf(file);
        const bytes = Buffer.from(batch.map(({ text }) => text).join(''));
        const { bytesWritten } = await syscalls.write(descriptor, bytes);
        if (bytesWritten < bytes.length) throw new AppError('storage_full');
        if (batch.some(({ mustFlush }) => mustFlush)) {
          this.flushes += 1;
          await syscalls.fdatasync(descriptor);
        }
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    // In the same step as the last check: records that are appended from now on start another writing.
    this.#writing = null;
  }

  async #descriptorOf(file: string): Promise<number> {
    if (this.#open?.file === file) return this.#open.descriptor;
    if (this.#open !== null) fs.closeSync(this.#open.descriptor);
    this.#open = null;
    const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = fs.constants;
    const descriptor = await syscalls.open(
      at(this.#folder, file),
      O_WRONLY | O_APPEND | O_CREAT | (O_NOFOLLOW ?? 0),
      0o600,
    );
    this.#open = { file, descriptor };
    if (fs.fstatSync(descriptor).size === 0) await flushFolder(this.#folder);
    return descriptor;
  }

  /** Closes the file once everything is written. */
  async close(): Promise<void> {
    await this.#writing;
    if (this.#open !== null) fs.closeSync(this.#open.descriptor);
    this.#open = null;
  }
}

/** Lines of one file that were read together, with the offset after each. */
interface LineBatch {
  readonly lines: readonly { readonly line: string; readonly end: number }[];
  /** The offset after the last skipped line; 0 if there is none. */
  readonly skippedEnd: number;
}

/** The lines of one file from `offset` (bytes), in batches. A last line without an end is included. */
async function* linesOf(
  descriptor: number,
  offset: number,
  skips: ReadLedger['skips'],
): AsyncGenerator<LineBatch> {
  const buffer = Buffer.allocUnsafe(readBytes);
  let rest = Buffer.alloc(0);
  let position = offset;
  for (;;) {
    const { bytesRead } = await syscalls.read(descriptor, buffer, 0, buffer.length, position + rest.length);
    const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    const lines: { line: string; end: number }[] = [];
    let skippedEnd = 0;
    const add = (start: number, end: number, next: number): void => {
      if (skips?.(bytes.subarray(start, end)) === true) skippedEnd = position + next;
      else lines.push({ line: bytes.toString('utf8', start, end), end: position + next });
    };
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      if (end > start) add(start, end, end + 1);
      start = end + 1;
    }
    if (bytesRead === 0 && start < bytes.length) add(start, bytes.length, bytes.length);
    if (lines.length > 0 || skippedEnd > 0) yield { lines, skippedEnd };
    if (bytesRead === 0) return;
    rest = Buffer.from(bytes.subarray(start));
    position += start;
  }
}

/** Options of {@link readLedgerBatches}. */
export interface ReadLedger {
  /** Continues after this position, if its file exists. */
  readonly since?: string | undefined;
  /** Called with the number of damaged lines of a batch. */
  readonly onDamaged?: ((lines: number) => void) | undefined;
  /** Whether a line is left out. The last one of a batch has the value undefined, for its position. */
  readonly skips?: ((line: Buffer) => boolean) | undefined;
}

/** Reads a file of a ledger from `offset` (bytes) in batches. Damaged lines are skipped; a missing file has none. */
async function* readFileBatches(
  folder: Folder,
  file: string,
  offset: number,
  { onDamaged, skips }: Pick<ReadLedger, 'onDamaged' | 'skips'> = {},
): AsyncGenerator<LedgerLine[]> {
  const descriptor = await ignoreErrno(
    syscalls.open(at(folder, file), fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0)),
    'ENOENT',
    'ELOOP',
  );
  if (descriptor === undefined) return;
  try {
    for await (const { lines, skippedEnd } of linesOf(descriptor, offset, skips)) {
      const batch: LedgerLine[] = [];
      let lastEnd = 0;
      for (const { line, end } of lines) {
        const value = jsonOrNull(line);
        // A crash or a full disk has cut the line.
        if (value === null) continue;
        batch.push({ value, position: `${file}:${end}` });
        lastEnd = end;
      }
      if (batch.length < lines.length) onDamaged?.(lines.length - batch.length);
      if (skippedEnd > lastEnd) batch.push({ value: undefined, position: `${file}:${skippedEnd}` });
      if (batch.length > 0) yield batch;
    }
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Reads a file of a ledger from `offset` (bytes). Damaged lines are skipped; a missing file has none. */
export async function* readLedgerFile(
  folder: Folder,
  file: string,
  offset: number,
): AsyncGenerator<LedgerLine> {
  for await (const batch of readFileBatches(folder, file, offset)) yield* batch;
}

/** Reads a ledger in batches, oldest record first. Damaged lines are skipped. */
export async function* readLedgerBatches(
  folder: Folder,
  { since = '', ...options }: ReadLedger = {},
): AsyncGenerator<LedgerLine[]> {
  const [, sinceFile = '', sinceOffset = '0'] = positionPattern.exec(since) ?? [];
  for (const file of await ledgerFiles(folder)) {
    if (file < sinceFile) continue;
    yield* readFileBatches(folder, file, file === sinceFile ? Number(sinceOffset) : 0, options);
  }
}

/** Reads a ledger, oldest record first; after `since` when it is a position of an existing file. Damaged lines are skipped. */
export async function* readLedger(folder: Folder, since = ''): AsyncGenerator<LedgerLine> {
  for await (const batch of readLedgerBatches(folder, { since })) yield* batch;
}
