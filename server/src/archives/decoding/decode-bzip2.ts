import { type Decoder, InputBuffer } from './input-buffer.ts';

/** Upper bound of the size of a compressed block: 900,000 symbols of at most 20 bits, and the tables. */
const maxBlockBytes = 2_400_000;
const blockMagic = [0x314159, 0x265359] as const;
const endMagic = [0x177245, 0x385090] as const;
const symbolsPerGroup = 50;
const maxCodeBits = 20;

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  return crc >>> 0;
});

/** Reads bits from the most significant one on. Reading past the end throws. */
class BitReader {
  readonly #bytes: Uint8Array;
  #position = 0;
  #bits = 0;
  #count = 0;

  constructor(bytes: Uint8Array, skippedBits: number) {
    this.#bytes = bytes;
    if (skippedBits > 0) this.read(skippedBits);
  }

  /** Reads up to 24 bits. */
  read(count: number): number {
    while (this.#count < count) {
      if (this.#position >= this.#bytes.length) throw new Error('the bzip2 data is truncated');
      this.#bits = ((this.#bits & 0xffffff) << 8) | (this.#bytes[this.#position++] ?? 0);
      this.#count += 8;
    }
    this.#count -= count;
    return (this.#bits >>> this.#count) & ((1 << count) - 1);
  }

  /** Reads the 48 bits that identify a block or the end of a stream, as two halves. */
  readMagic(): readonly [number, number] {
    return [this.read(24), this.read(24)];
  }

  read32(): number {
    return ((this.read(16) << 16) | this.read(16)) >>> 0;
  }

  /** The number of bits that have been read. */
  get position(): number {
    return this.#position * 8 - this.#count;
  }
}

/** Decodes concatenated bzip2 streams, such as those of parallel compressors. */
export function* decodeBzip2(): Decoder {
  const input = new InputBuffer();
  let streams = 0;
  while (yield* input.fill(1)) {
    const [b, z, h, level = 0] = yield* input.take(4);
    const size = level - 0x30;
    if (b !== 0x42 || z !== 0x5a || h !== 0x68 || size < 1 || size > 9) {
      // Bytes after a complete stream are ignored, as other programs do.
      if (streams > 0) return;
      throw new Error('not a bzip2 stream');
    }
    yield* decodeStream(input, size * 100_000);
    streams += 1;
  }
}

function* decodeStream(input: InputBuffer, blockSize: number): Decoder {
  let skippedBits = 0;
  const work = new Uint32Array(blockSize);
  for (;;) {
    yield* input.fill(maxBlockBytes);
    const reader = new BitReader(input.peek(), skippedBits);
    const [first, second] = reader.readMagic();
    if (first === endMagic[0] && second === endMagic[1]) {
      reader.read32();
      input.skip(Math.ceil(reader.position / 8));
      return;
    }
    if (first !== blockMagic[0] || second !== blockMagic[1]) throw new Error('a bzip2 block is damaged');
    const crc = reader.read32();
    const block = readBlock(reader, work);
    input.skip(Math.floor(reader.position / 8));
    skippedBits = reader.position % 8;
    yield* expandBlock(block, work, crc);
  }
}

/** A decoded block: `count` entries of the work table, and where the text begins. */
interface Block {
  readonly count: number;
  readonly origin: number;
}

/** A canonical Huffman code. `limits` and `bases` are by the number of bits of a code. */
interface HuffmanTable {
  readonly minBits: number;
  /** No code is higher than this. */
  readonly limits: Int32Array;
  /** The difference between a code and the index of its symbol. */
  readonly bases: Int32Array;
  readonly symbols: Uint16Array;
}

function createTable(lengths: Uint8Array): HuffmanTable {
  let minBits = maxCodeBits;
  const counts = new Int32Array(maxCodeBits + 2);
  for (const length of lengths) {
    minBits = Math.min(minBits, length);
    counts[length] = (counts[length] ?? 0) + 1;
  }
  const symbols = new Uint16Array(lengths.length);
  let used = 0;
  for (let bits = minBits; bits <= maxCodeBits; bits++) {
    for (let symbol = 0; symbol < lengths.length; symbol++)
      if (lengths[symbol] === bits) symbols[used++] = symbol;
  }
  const limits = new Int32Array(maxCodeBits + 1).fill(-1);
  const bases = new Int32Array(maxCodeBits + 1);
  let code = 0;
  let total = 0;
  for (let bits = minBits; bits <= maxCodeBits; bits++) {
    bases[bits] = code - total;
    code += counts[bits] ?? 0;
    total += counts[bits] ?? 0;
    limits[bits] = code - 1;
    code <<= 1;
  }
  return { minBits, limits, bases, symbols };
}

function readSymbol(reader: BitReader, { minBits, limits, bases, symbols }: HuffmanTable): number {
  let code = reader.read(minBits);
  for (let bits = minBits; bits <= maxCodeBits; bits++) {
    if (code <= (limits[bits] ?? -1)) {
      const symbol = symbols[code - (bases[bits] ?? 0)];
      if (symbol === undefined) break;
      return symbol;
    }
    code = (code << 1) | reader.read(1);
  }
  throw new Error('a bzip2 block is damaged');
}

/** Reads the byte values that occur in a block. */
function readUsedBytes(reader: BitReader): Uint8Array {
  const ranges = reader.read(16);
  const used: number[] = [];
  for (let range = 0; range < 16; range++) {
    if ((ranges & (0x8000 >> range)) === 0) continue;
    const values = reader.read(16);
    for (let value = 0; value < 16; value++)
      if ((values & (0x8000 >> value)) !== 0) used.push(range * 16 + value);
  }
  return Uint8Array.from(used);
}

function readSelectors(reader: BitReader, tableCount: number): Uint8Array {
  const selectors = new Uint8Array(reader.read(15));
  const order = Array.from({ length: tableCount }, (_, table) => table);
  for (let index = 0; index < selectors.length; index++) {
    let steps = 0;
    while (reader.read(1) === 1) if (++steps >= tableCount) throw new Error('a bzip2 block is damaged');
    const [table = 0] = order.splice(steps, 1);
    order.unshift(table);
    selectors[index] = table;
  }
  return selectors;
}

function readTables(reader: BitReader, tableCount: number, symbolCount: number): HuffmanTable[] {
  return Array.from({ length: tableCount }, () => {
    let length = reader.read(5);
    const lengths = new Uint8Array(symbolCount);
    for (let symbol = 0; symbol < symbolCount; symbol++) {
      for (;;) {
        if (length < 1 || length > maxCodeBits) throw new Error('a bzip2 block is damaged');
        if (reader.read(1) === 0) break;
        length += reader.read(1) === 0 ? 1 : -1;
      }
      lengths[symbol] = length;
    }
    return createTable(lengths);
  });
}

/** Reads the symbols of a block into the lower 8 bits of `work`, and links them. */
function readBlock(reader: BitReader, work: Uint32Array): Block {
  if (reader.read(1) === 1) throw new Error('randomized bzip2 blocks are not supported');
  const origin = reader.read(24);
  const order = readUsedBytes(reader);
  const tableCount = reader.read(3);
  if (order.length === 0 || tableCount < 2 || tableCount > 6) throw new Error('a bzip2 block is damaged');
  const selectors = readSelectors(reader, tableCount);
  const endSymbol = order.length + 1;
  const tables = readTables(reader, tableCount, endSymbol + 1);
  let count = 0;
  let run = 0;
  let runUnit = 1;
  let group = -1;
  let left = 0;
  let table: HuffmanTable | undefined;
  const counts = new Uint32Array(256);
  const append = (byte: number, times: number): void => {
    if (count + times > work.length) throw new Error('a bzip2 block is damaged');
    work.fill(byte, count, count + times);
    counts[byte] = (counts[byte] ?? 0) + times;
    count += times;
  };
  for (;;) {
    if (left === 0) {
      group += 1;
      table = tables[selectors[group] ?? tableCount];
      left = symbolsPerGroup;
    }
    if (table === undefined) throw new Error('a bzip2 block is damaged');
    left -= 1;
    const symbol = readSymbol(reader, table);
    if (symbol <= 1) {
      run += runUnit << symbol;
      runUnit <<= 1;
      if (run > work.length) throw new Error('a bzip2 block is damaged');
      continue;
    }
    if (run > 0) {
      append(order[0] ?? 0, run);
      run = 0;
      runUnit = 1;
    }
    if (symbol === endSymbol) break;
    const position = symbol - 1;
    const byte = order[position] ?? 0;
    order.copyWithin(1, 0, position);
    order[0] = byte;
    append(byte, 1);
  }
  if (origin >= count) throw new Error('a bzip2 block is damaged');
  linkSymbols(work, count, counts);
  return { count, origin };
}

/**
 * Stores in the upper 24 bits of each entry of `work` the number of the entry that follows it in the text, which reverts the
 * Burrows–Wheeler transform. `counts` are the numbers of entries by their byte.
 */
function linkSymbols(work: Uint32Array, count: number, counts: Uint32Array): void {
  const starts = new Uint32Array(256);
  for (let byte = 1; byte < 256; byte++) starts[byte] = (starts[byte - 1] ?? 0) + (counts[byte - 1] ?? 0);
  for (let index = 0; index < count; index++) {
    const byte = (work[index] ?? 0) & 0xff;
    const target = starts[byte] ?? 0;
    starts[byte] = target + 1;
    work[target] = ((work[target] ?? 0) | (index << 8)) >>> 0;
  }
}

/** Yields the text of a block in pieces and verifies its checksum. */
function* expandBlock({ count, origin }: Block, work: Uint32Array, expectedCrc: number): Decoder {
  let output = new Uint8Array(256 * 1024);
  let written = 0;
  let crc = 0xffffffff;
  let next = (work[origin] ?? 0) >>> 8;
  let last = -1;
  let repeats = 0;
  for (let index = 0; index < count; index++) {
    const entry = work[next] ?? 0;
    next = entry >>> 8;
    const byte = entry & 0xff;
    let times = 1;
    if (repeats === 4) {
      // After four equal bytes a count of further ones follows.
      times = byte;
      repeats = 0;
    } else {
      repeats = byte === last ? repeats + 1 : 1;
      last = byte;
    }
    if (written + times > output.length) {
      yield output.subarray(0, written);
      output = new Uint8Array(256 * 1024);
      written = 0;
    }
    for (let i = 0; i < times; i++) {
      output[written++] = last;
      crc = (crc << 8) ^ (crcTable[((crc >>> 24) ^ last) & 0xff] ?? 0);
    }
    if (repeats === 0) last = -1;
  }
  if (written > 0) yield output.subarray(0, written);
  if (~crc >>> 0 !== expectedCrc) throw new Error('a bzip2 block has a wrong checksum');
}
