import { Buffer } from 'node:buffer';
import type { ColumnSource } from '../columns/saved-columns.ts';
import { growColumn } from '../grow-column.ts';
import { foldName, isAscii } from './fold-name.ts';
import { maxFound, maxScannedText, PlainScanner, type TextScanner } from './plain-scan.ts';
import { scanKernel } from './scan-kernel.ts';

/** Offsets in the kernel's memory: the text to scan for, then the positions that were found, then the names. */
const textOffset = 0;
const foundOffset = textOffset + maxScannedText + 16;
const namesOffset = foundOffset + 4 * maxFound;
/** The kernel reads up to this number of bytes after the end of the names. */
const slackBytes = maxScannedText + 32;
const pageBytes = 65_536;
const maxPages = 65_536;

/** The part of WebAssembly that is used here; the types of Node do not declare it. */
interface KernelRuntime {
  Memory: new (size: { initial: number; maximum: number }) => {
    readonly buffer: ArrayBuffer;
    grow(pages: number): void;
  };
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: Record<string, unknown> };
}
const runtime = (globalThis as unknown as { WebAssembly: KernelRuntime }).WebAssembly;

/** Replaces the bytes of removed names. No query contains it. */
export const wipedByte = 0x01;

/** Memory that contains the names, and the scanner that finds texts in it. */
interface NameMemory {
  readonly scanner: TextScanner;
  /** The whole memory; the names begin at {@link NameMemory.start}. Replaced by another array when the memory grows. */
  bytes: Uint8Array;
  readonly start: number;
  grow(bytes: number): void;
}

/** Runs the kernel over its own memory. */
class KernelMemory implements NameMemory, TextScanner {
  readonly start = namesOffset;
  readonly #memory: InstanceType<KernelRuntime['Memory']>;
  readonly #run: (...numbers: number[]) => number;
  bytes: Uint8Array;
  found: Uint32Array;
  next = 0;
  #length = 0;

  constructor() {
    this.#memory = new runtime.Memory({ initial: Math.ceil(namesOffset / pageBytes) + 1, maximum: maxPages });
    const module = new runtime.Module(Buffer.from(scanKernel, 'base64'));
    const { exports } = new runtime.Instance(module, { env: { memory: this.#memory } });
    this.#run = exports.scan as (...numbers: number[]) => number;
    this.bytes = new Uint8Array(this.#memory.buffer);
    this.found = new Uint32Array(this.#memory.buffer, foundOffset, maxFound);
  }

  get scanner(): TextScanner {
    return this;
  }

  grow(bytes: number): void {
    const missing = Math.ceil((bytes + slackBytes - this.bytes.length) / pageBytes);
    if (missing <= 0) return;
    this.#memory.grow(missing);
    this.bytes = new Uint8Array(this.#memory.buffer);
    this.found = new Uint32Array(this.#memory.buffer, foundOffset, maxFound);
  }

  setText(text: Uint8Array): void {
    this.bytes.set(text, textOffset);
    this.#length = text.length;
  }

  scan(from: number, to: number): number {
    const count = this.#run(from, to, textOffset, this.#length, foundOffset, maxFound);
    this.next = new DataView(this.#memory.buffer).getUint32(foundOffset - 4, true);
    return count;
  }
}

/** Ordinary memory, for systems on which the kernel cannot run. */
class PlainMemory implements NameMemory {
  readonly start = 16;
  bytes = new Uint8Array(pageBytes);
  readonly scanner = new PlainScanner(() => this.bytes);

  grow(bytes: number): void {
    if (bytes + slackBytes <= this.bytes.length) return;
    const larger = new Uint8Array(Math.ceil((bytes + slackBytes) * 1.5));
    larger.set(this.bytes);
    this.bytes = larger;
  }
}

function openMemory(usesKernel: boolean): NameMemory {
  if (!usesKernel) return new PlainMemory();
  try {
    return new KernelMemory();
  } catch {
    // No SIMD, or no address space for the memory of WebAssembly.
    return new PlainMemory();
  }
}

const encoder = new TextEncoder();
const scratch = Buffer.alloc(4096);

/** The bytes that are reserved for each name in a column: one bit for each byte of a name of 32. */
const reservedBytes = 4;

/** FNV-1a, 32 bits (the parameters of the algorithm’s authors). */
function hashOfBytes(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x0100_0193);
  return hash;
}

/** The columns of a {@link NameBuffer}, as they are written to a file. */
export interface NameData {
  /** Folded names, each with a NUL after it. */
  readonly names: Uint8Array;
  readonly caseBits: Uint8Array;
  readonly originals: Uint8Array;
  readonly originalEntries: Uint32Array;
  readonly originalOffsets: Uint32Array;
}

/**
 * The names of all entries: the folded forms one after the other, each with a NUL after it, for scanning; and the data to restore
 * the original spelling: a bit per byte for upper case, or the whole name if folding changed more than the case of ASCII letters.
 */
export class NameBuffer {
  readonly #memory: NameMemory;
  /** The end of the last name. */
  end: number;
  /** The bytes that are reserved for each column of this class. */
  readonly #reserved: number;
  #caseBits = new Uint8Array(pageBytes / 8);
  #originals = new Uint8Array(1024);
  #originalsEnd = 0;
  #originalEntries = new Uint32Array(64);
  #originalOffsets = new Uint32Array(64);
  #originalCount = 0;

  /** @param options `capacity` is the expected maximum number of names, for which memory is reserved */
  constructor({
    usesKernel = true,
    capacity = 0,
  }: { readonly usesKernel?: boolean | undefined; readonly capacity?: number | undefined } = {}) {
    this.#memory = openMemory(usesKernel);
    this.#reserved = capacity * reservedBytes;
    this.end = this.#memory.start;
    // The first name has a NUL in front of it too.
    this.#memory.bytes[this.end - 1] = 0;
  }

  /** The position of the first name. */
  get start(): number {
    return this.#memory.start;
  }

  get bytes(): Uint8Array {
    return this.#memory.bytes;
  }

  get scanner(): TextScanner {
    return this.#memory.scanner;
  }

  /**
   * Appends the name of `entry`, which must be larger than all entries before. Returns its position, and whether
   * {@link NameBuffer.read} needs the stored original.
   */
  append(entry: number, name: string): { position: number; hasOriginal: boolean } {
    const position = this.end;
    const folded = foldName(name);
    const ascii = isAscii(name);
    this.#memory.grow(position + folded.length * 3 + 1);
    const { bytes } = this.#memory;
    if (ascii) this.#appendAscii(name, position);
    else this.end = position + encoder.encodeInto(folded, bytes.subarray(position)).written;
    bytes[this.end++] = 0;
    this.#caseBits = growColumn(this.#caseBits, (this.end >> 3) + 1, this.#reserved);
    const hasOriginal = !ascii && folded !== name;
    if (hasOriginal) this.#keepOriginal(entry, name);
    return { position, hasOriginal };
  }

  #appendAscii(name: string, position: number): void {
    const { bytes } = this.#memory;
    this.#caseBits = growColumn(this.#caseBits, ((position + name.length) >> 3) + 1, this.#reserved);
    for (let i = 0; i < name.length; i++) {
      const code = name.charCodeAt(i);
      if (code >= 0x41 && code <= 0x5a) {
        bytes[position + i] = code + 0x20;
        const at = position + i;
        this.#caseBits[at >> 3] = (this.#caseBits[at >> 3] ?? 0) | (1 << (at & 7));
      } else bytes[position + i] = code;
    }
    this.end = position + name.length;
  }

  #keepOriginal(entry: number, name: string): void {
    this.#originals = growColumn(this.#originals, this.#originalsEnd + name.length * 3, this.#reserved * 2);
    const reserved = this.#reserved >> 4;
    this.#originalEntries = growColumn(this.#originalEntries, this.#originalCount + 1, reserved);
    this.#originalOffsets = growColumn(this.#originalOffsets, this.#originalCount + 1, reserved);
    this.#originalEntries[this.#originalCount] = entry;
    this.#originalOffsets[this.#originalCount] = this.#originalsEnd;
    this.#originalCount += 1;
    this.#originalsEnd += encoder.encodeInto(name, this.#originals.subarray(this.#originalsEnd)).written;
  }

  /** Whether the letter at `position` is upper case in the original of a name in ASCII. */
  isUpperAt(position: number): boolean {
    return ((this.#caseBits[position >> 3] ?? 0) & (1 << (position & 7))) !== 0;
  }

  /** The end of the name at `position`: the position of its NUL. */
  endOf(position: number): number {
    const { bytes } = this.#memory;
    let end = position;
    while (bytes[end] !== 0) end++;
    return end;
  }

  /** The original name of `entry`, whose folded form is at `position`. */
  read(entry: number, position: number, hasOriginal: boolean): string {
    if (hasOriginal) return this.#original(entry);
    const { bytes } = this.#memory;
    let length = 0;
    let isPlain = true;
    for (let at = position; ; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === 0) break;
      if (byte >= 0x80) isPlain = false;
      scratch[length++] = this.isUpperAt(at) ? byte - 0x20 : byte;
    }
    return isPlain ? scratch.toString('latin1', 0, length) : scratch.toString('utf8', 0, length);
  }

  /** A hash of the folded name from `position` to `end`; equal to {@link NameBuffer.hashOfName} of its name. */
  hashAt(position: number, end: number): number {
    return hashOfBytes(this.#memory.bytes, position, end);
  }

  /** The hash of a name. Different names may have the same one: those that differ in case always do. */
  static hashOfName(name: string): number {
    const bytes = encoder.encode(foldName(name));
    return hashOfBytes(bytes, 0, bytes.length);
  }

  /** The folded name at `position`. */
  readFolded(position: number): string {
    const { bytes } = this.#memory;
    const end = this.endOf(position);
    return Buffer.from(bytes.buffer, bytes.byteOffset + position, end - position).toString();
  }

  #original(entry: number): string {
    let low = 0;
    let high = this.#originalCount - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#originalEntries[middle] ?? 0) <= entry) low = middle;
      else high = middle - 1;
    }
    const from = this.#originalOffsets[low] ?? 0;
    const to = low + 1 < this.#originalCount ? (this.#originalOffsets[low + 1] ?? 0) : this.#originalsEnd;
    return Buffer.from(this.#originals.buffer, from, to - from).toString();
  }

  /** Overwrites the name at `position`, so that it is no longer found. */
  wipe(position: number): void {
    this.#memory.bytes.fill(wipedByte, position, this.endOf(position));
  }

  /** The columns to be saved. They share the memory of this buffer. */
  data(): NameData {
    const { bytes, start } = this.#memory;
    const bitStart = start >> 3;
    return {
      names: bytes.subarray(start, this.end),
      caseBits: this.#caseBits.subarray(bitStart, (this.end >> 3) + 1),
      originals: this.#originals.subarray(0, this.#originalsEnd),
      originalEntries: this.#originalEntries.subarray(0, this.#originalCount),
      originalOffsets: this.#originalOffsets.subarray(0, this.#originalCount),
    };
  }

  /** Replaces everything with saved columns. Throws when they cannot be read or contradict each other. */
  restore(source: ColumnSource): void {
    const { start } = this.#memory;
    this.end = start + source.lengthOf('names');
    this.#memory.grow(this.end);
    source.read('names', this.#memory.bytes.subarray(start, this.end));
    const bitStart = start >> 3;
    const bitEnd = bitStart + source.lengthOf('caseBits');
    this.#caseBits = growColumn(this.#caseBits, bitEnd, this.#reserved);
    source.read('caseBits', this.#caseBits.subarray(bitStart, bitEnd));
    this.#originalsEnd = source.lengthOf('originals');
    this.#originals = growColumn(this.#originals, this.#originalsEnd, this.#reserved * 2);
    source.read('originals', this.#originals.subarray(0, this.#originalsEnd));
    this.#originalCount = source.lengthOf('originalEntries');
    this.#originalEntries = new Uint32Array(this.#originalCount);
    source.read('originalEntries', this.#originalEntries);
    this.#originalOffsets = new Uint32Array(this.#originalCount);
    source.read('originalOffsets', this.#originalOffsets);
  }

  /** Resident bytes of all columns. */
  get byteLength(): number {
    return (
      this.#memory.bytes.length +
      this.#caseBits.length +
      this.#originals.length +
      this.#originalEntries.byteLength +
      this.#originalOffsets.byteLength
    );
  }
}
