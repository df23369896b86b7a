import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../command.ts';
import { pieceBytes } from './manifest.ts';

/** Block size of a tar file in bytes (POSIX.1-2017, pax, ustar Interchange Format). */
const blockBytes = 512;

/** A file to be archived. */
export interface TarMember {
  /** At most 100 ASCII characters. */
  readonly name: string;
  /** Content: the path of a file, or the bytes themselves. */
  readonly source: string | Uint8Array;
  /** In bytes. */
  readonly size: number;
}

const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;

function headerOf(name: string, size: number, modifiedMs: number): Buffer {
  const header = Buffer.alloc(blockBytes);
  header.write(name, 0, 100, 'ascii');
  header.write(octal(0o600, 7), 100, 'ascii');
  header.write(octal(0, 7), 108, 'ascii');
  header.write(octal(0, 7), 116, 'ascii');
  header.write(octal(size, 11), 124, 'ascii');
  header.write(octal(Math.floor(modifiedMs / 1000), 11), 136, 'ascii');
  header.write('        ', 148, 'ascii');
  header.write('0', 156, 'ascii');
  header.write('ustar\u000000', 257, 'ascii');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'ascii');
  return header;
}

const paddingOf = (size: number): number => (blockBytes - (size % blockBytes)) % blockBytes;

/** Yields the bytes of a tar file. Throws if a file does not have the announced size. */
export async function* packTar(
  members: readonly TarMember[],
  modifiedMs: number,
): AsyncGenerator<Uint8Array> {
  for (const { name, source, size } of members) {
    yield headerOf(name, size, modifiedMs);
    let sent = 0;
    if (typeof source === 'string') {
      for await (const piece of createReadStream(source, {
        highWaterMark: pieceBytes,
      }) as AsyncIterable<Buffer>) {
        sent += piece.length;
        yield piece;
      }
    } else {
      sent = source.length;
      yield source;
    }
    if (sent !== size) throw new CliError(`${name} has changed while it was read`);
    yield Buffer.alloc(paddingOf(size));
  }
  yield Buffer.alloc(2 * blockBytes);
}

/** Limits for unpacking a tar file. */
export interface TarLimits {
  /** Maximum total size of the files, in bytes. */
  readonly maxBytes: number;
  readonly maxEntries: number;
  /** Whether a file of this name is expected; its folder must exist. */
  readonly accepts: (name: string) => boolean;
}

interface TarHeader {
  readonly name: string;
  readonly size: number;
}

const textAt = (header: Buffer, start: number, length: number): string => {
  const field = header.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.subarray(0, end < 0 ? length : end).toString('latin1');
};

/** Parses the header of a regular file; null for the block of zeros at the end. Throws for other entries. */
function readHeader(header: Buffer, accepts: TarLimits['accepts']): TarHeader | null {
  if (header.every((byte) => byte === 0)) return null;
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (Number.parseInt(textAt(header, 148, 8), 8) !== sum) throw new CliError('it is damaged');
  const prefix = textAt(header, 345, 155);
  const name = `${prefix === '' ? '' : `${prefix}/`}${textAt(header, 0, 100)}`;
  const size = Number.parseInt(textAt(header, 124, 12), 8);
  const type = String.fromCharCode(header[156] ?? 0);
  if ((type !== '0' && type !== '\0') || !accepts(name)) {
    throw new CliError(`it contains ${JSON.stringify(name.slice(0, 100))}, which no backup does`);
  }
  if (!Number.isSafeInteger(size) || size < 0) throw new CliError('it is damaged');
  return { name, size };
}

/** Reads exact numbers of bytes from a stream of chunks. */
class Pieces {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Returns between one and `length` bytes; null at the end. */
  async some(length: number): Promise<Uint8Array | null> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#source.next();
      if (done === true) return null;
      this.#rest = value;
    }
    const piece = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(piece.length);
    return piece;
  }

  /** Passes exactly `length` bytes to `onPiece`, in pieces. Throws if there are fewer. */
  async exactly(length: number, onPiece: (piece: Uint8Array) => void): Promise<void> {
    for (let left = length; left > 0;) {
      const piece = await this.some(left);
      if (piece === null) throw new CliError('it is truncated');
      onPiece(piece);
      left -= piece.length;
    }
  }

  async block(): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    await this.exactly(blockBytes, (piece) => parts.push(piece));
    return Buffer.concat(parts);
  }
}

/**
 * Unpacks a tar file of regular files into `folder` with mode 600. Throws {@link CliError} for other entries,
 * for names that are not accepted or occur twice, above the limits, and if the file is damaged or truncated.
 * Returns the names.
 */
export async function unpackTar(
  source: AsyncIterable<Uint8Array>,
  folder: string,
  { maxBytes, maxEntries, accepts }: TarLimits,
): Promise<string[]> {
  const pieces = new Pieces(source);
  const names: string[] = [];
  let total = 0;
  for (;;) {
    const header = readHeader(await pieces.block(), accepts);
    if (header === null) break;
    const { name, size } = header;
    total += size;
    if (names.includes(name)) throw new CliError(`it contains ${name} twice`);
    if (names.length >= maxEntries || total > maxBytes)
      throw new CliError('it contains more than any backup');
    names.push(name);
    const file = openSync(join(folder, name), 'wx', 0o600);
    try {
      await pieces.exactly(size, (piece) => {
        for (let done = 0; done < piece.length;) done += writeSync(file, piece, done);
      });
    } finally {
      closeSync(file);
    }
    await pieces.exactly(paddingOf(size), () => undefined);
  }
  // Reads to the end, because the checksum of the compression is verified only there.
  for (let rest = 0; ;) {
    const piece = await pieces.some(blockBytes);
    if (piece === null) return names;
    rest += piece.length;
    if (rest > 1024 * 1024 || piece.some((byte) => byte !== 0)) throw new CliError('it is damaged');
  }
}
