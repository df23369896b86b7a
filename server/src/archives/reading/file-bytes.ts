import { readFully } from '../../storage/read-fully.ts';
import type { OpenFile } from '../../storage/storage.ts';

/** Bytes per read of an archive. */
const pieceBytes = 256 * 1024;

/** Yields the bytes of a file from `first` (inclusive) to `end` (exclusive), or to its end. The chunks are not reused. */
export async function* readBytes(
  file: OpenFile,
  first: number,
  end: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let position = first; position < end;) {
    signal?.throwIfAborted();
    const piece = new Uint8Array(Math.min(pieceBytes, end - position));
    const count = await file.read(piece, position);
    if (count === 0) return;
    position += count;
    yield piece.subarray(0, count);
  }
}

/** Reads `count` bytes at `position`; fewer at the end of the file. */
export async function readAt(file: OpenFile, position: number, count: number): Promise<Buffer<ArrayBuffer>> {
  const bytes = Buffer.alloc(count);
  return bytes.subarray(0, await readFully(file, bytes, position));
}

/** The bytes of a tar in sequence, from a file or from a decompressor. */
export interface ByteSource {
  /** The offset of the next byte. */
  readonly position: number;
  /** Reads `count` bytes; fewer at the end. */
  take(count: number): Promise<Buffer<ArrayBuffer>>;
  /** Yields the next `count` bytes; fewer at the end. The caller has to skip the bytes that it does not consume. */
  stream(count: number): AsyncGenerator<Uint8Array<ArrayBuffer>>;
  /** Skips `count` bytes; fewer at the end. */
  skip(count: number): Promise<void>;
  /** Releases the source. */
  close(): Promise<void>;
}

/** The bytes of a file, in which skipping is free. */
export class FileSource implements ByteSource {
  readonly #file: OpenFile;
  readonly #signal: AbortSignal | undefined;
  position = 0;

  constructor(file: OpenFile, signal?: AbortSignal) {
    this.#file = file;
    this.#signal = signal;
  }

  async take(count: number): Promise<Buffer<ArrayBuffer>> {
    this.#signal?.throwIfAborted();
    const bytes = await readAt(this.#file, this.position, count);
    this.position += bytes.length;
    return bytes;
  }

  async *stream(count: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for await (const piece of readBytes(this.#file, this.position, this.position + count, this.#signal)) {
      this.position += piece.length;
      yield piece;
    }
  }

  async skip(count: number): Promise<void> {
    this.position = Math.min(this.position + count, Math.max(this.position, this.#file.entry.size));
  }

  async close(): Promise<void> {
    // The owner of the file closes it.
  }
}

/** The bytes of a stream that can only be read once. */
export class StreamSource implements ByteSource {
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #signal: AbortSignal | undefined;
  #piece = new Uint8Array(0);
  position = 0;

  constructor(source: AsyncIterable<Uint8Array>, signal?: AbortSignal) {
    this.#pieces = source[Symbol.asyncIterator]();
    this.#signal = signal;
  }

  /** Returns up to `count` bytes; none at the end. */
  async #next(count: number): Promise<Uint8Array<ArrayBuffer>> {
    while (this.#piece.length === 0) {
      this.#signal?.throwIfAborted();
      const { value, done } = await this.#pieces.next();
      if (done === true) return new Uint8Array(0);
      // Not copied, because decompressors do not reuse their chunks.
      this.#piece = value as Uint8Array<ArrayBuffer>;
    }
    const part = this.#piece.subarray(0, count);
    this.#piece = this.#piece.subarray(part.length);
    this.position += part.length;
    return part;
  }

  async take(count: number): Promise<Buffer<ArrayBuffer>> {
    const bytes = Buffer.alloc(count);
    let length = 0;
    while (length < count) {
      const piece = await this.#next(count - length);
      if (piece.length === 0) break;
      bytes.set(piece, length);
      length += piece.length;
    }
    return bytes.subarray(0, length);
  }

  async *stream(count: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for (let rest = count; rest > 0;) {
      const piece = await this.#next(rest);
      if (piece.length === 0) return;
      rest -= piece.length;
      yield piece;
    }
  }

  async skip(count: number): Promise<void> {
    for (let rest = count; rest > 0;) {
      const { length } = await this.#next(rest);
      if (length === 0) return;
      rest -= length;
    }
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }
}
