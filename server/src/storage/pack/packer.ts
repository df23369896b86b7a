import type { Container, MemberMetadata } from './container.ts';

/** A file changed while it was being packed. The archive must not be finished, because it would look complete. */
export class FileChangedError extends Error {
  override readonly name = 'FileChangedError';
  /** Whether a part of the file has already been written. */
  readonly isBegun: boolean;

  constructor(isBegun: boolean) {
    super('a file changed while it was packed');
    this.isBegun = isBegun;
  }
}

/** The content of one file, read once from its beginning. */
export interface Content {
  /** Fills a part of `buffer`. Returns the number of bytes, 0 at the end. */
  read(buffer: Uint8Array, offset: number, length: number): number;
  /** Whether the file has not changed since its metadata was read. */
  isSame(): boolean;
}

/** The packer's block is full. The caller takes the bytes and provides another one with {@link Packer.continueWith}. */
export interface FullBlock {
  readonly kind: 'block';
  /** The number of used bytes of the block. */
  readonly length: number;
}

/** Files up to this size (bytes) are read completely with one call, before their header is written. */
const smallBytes = 256 * 1024;
/** Maximum size of the trailer of a member (bytes): the padding to a block of tar. */
const maxTrailerBytes = 512;

/** Reads a file of `size` bytes, and one byte more to detect that it has grown. Returns the number of bytes. */
function readWhole(content: Content, buffer: Uint8Array, size: number): number {
  let filled = 0;
  while (filled <= size) {
    const read = content.read(buffer, filled, size + 1 - filled);
    filled += read;
    // The call requested one byte more than `size`, so that exactly `size` bytes mean the end of the file.
    if (read === 0 || read === size) break;
  }
  return filled;
}

/**
 * Writes members into blocks that the caller provides. Its methods are generators that yield whenever a block is full, so
 * that a slow reader causes no read-ahead.
 */
export class Packer {
  readonly #container: Container;
  readonly #scratch = Buffer.allocUnsafeSlow(smallBytes + 1);
  #block: Uint8Array;
  #used = 0;

  constructor(container: Container, block: Uint8Array) {
    this.#container = container;
    this.#block = block;
  }

  /** To be called after each {@link FullBlock}, before the generator is resumed. */
  continueWith(block: Uint8Array): void {
    this.#block = block;
    this.#used = 0;
  }

  *folder(name: string, metadata: MemberMetadata): Generator<FullBlock> {
    yield* this.#put(this.#container.folder(name, metadata));
  }

  /** Packs one file. Throws {@link FileChangedError}. */
  *file(name: string, metadata: MemberMetadata, content: Content): Generator<FullBlock> {
    const { size } = metadata;
    if (size > smallBytes) {
      yield* this.#largeFile(name, metadata, content);
      return;
    }
    if (readWhole(content, this.#scratch, size) !== size) throw new FileChangedError(false);
    const bytes = this.#scratch.subarray(0, size);
    const header = this.#container.smallFile(name, metadata, bytes);
    if (header.length + size + maxTrailerBytes <= this.#block.length - this.#used) {
      this.#add(header);
      this.#add(bytes);
      this.#add(this.#container.trailer());
      return;
    }
    yield* this.#put(header);
    yield* this.#put(bytes);
    yield* this.#put(this.#container.trailer());
  }

  /** Finishes the archive. */
  *end(): Generator<FullBlock> {
    for (const bytes of this.#container.end()) yield* this.#put(bytes);
    if (this.#used > 0) yield { kind: 'block', length: this.#used };
  }

  *#largeFile(name: string, metadata: MemberMetadata, content: Content): Generator<FullBlock> {
    yield* this.#put(this.#container.largeFile(name, metadata));
    for (let left = metadata.size; left > 0;) {
      if (this.#used === this.#block.length) yield* this.#flush();
      const read = content.read(this.#block, this.#used, Math.min(left, this.#block.length - this.#used));
      if (read === 0) throw new FileChangedError(true);
      this.#container.piece(this.#block.subarray(this.#used, this.#used + read));
      this.#used += read;
      left -= read;
    }
    if (!content.isSame()) throw new FileChangedError(true);
    yield* this.#put(this.#container.trailer());
  }

  #add(bytes: Uint8Array): void {
    this.#block.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  *#put(bytes: Uint8Array): Generator<FullBlock> {
    for (let start = 0; start < bytes.length;) {
      if (this.#used === this.#block.length) yield* this.#flush();
      const piece = bytes.subarray(start, start + this.#block.length - this.#used);
      this.#add(piece);
      start += piece.length;
    }
  }

  *#flush(): Generator<FullBlock> {
    yield { kind: 'block', length: this.#used };
    this.#used = 0;
  }
}
