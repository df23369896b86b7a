import { AppError } from '../../../errors.ts';
import { Yielder } from '../../../scheduling/event-loop.ts';
import { maxMembers } from '../limits.ts';
import { damaged, type HeaderReader } from './header-reader.ts';

/** The identifiers of the properties of a header (7zFormat.txt). */
export const properties = {
  end: 0x00,
  header: 0x01,
  archiveProperties: 0x02,
  additionalStreams: 0x03,
  mainStreams: 0x04,
  files: 0x05,
  packInfo: 0x06,
  unpackInfo: 0x07,
  substreams: 0x08,
  size: 0x09,
  crc: 0x0a,
  folder: 0x0b,
  unpackSizes: 0x0c,
  substreamCounts: 0x0d,
  emptyStream: 0x0e,
  emptyFile: 0x0f,
  anti: 0x10,
  names: 0x11,
  modified: 0x14,
  attributes: 0x15,
  encodedHeader: 0x17,
} as const;

/** The maximum number of coders of a block, and of inputs and outputs of a coder. Real blocks have up to four coders. */
const maxCoders = 32;
/** The maximum number of coders of an archive. */
const maxAllCoders = 2 * maxMembers;
const noSettings = Buffer.alloc(0);

/** A compression method or filter. */
export interface Coder {
  /** The identifier in hexadecimal digits. */
  readonly method: string;
  readonly settings: Buffer;
  /** Bytes that it produces. */
  readonly size: number;
}

/** A part of a file. */
export interface PackedStream {
  readonly position: number;
  readonly size: number;
}

/** Files that are compressed together ("folder" in 7zFormat.txt). */
export interface Block {
  /** Null for a graph of coders that is not a chain. */
  readonly packed: PackedStream | null;
  /** The coders in the order of decoding; empty if the graph is not a chain. */
  readonly coders: readonly Coder[];
  /** Whether one of the coders encrypts. */
  readonly isEncrypted: boolean;
  /** Bytes of the content of all files. */
  readonly size: number;
}

/** The content of one file within its block. */
export interface Substream {
  readonly block: Block;
  readonly start: number;
  readonly size: number;
  /** Null if the archive does not contain it. */
  readonly crc: number | null;
}

const encryptionMethod = '06f10701';

/** A coder with the numbers of its inputs and outputs in the block. */
interface ConnectedCoder {
  readonly method: string;
  readonly settings: Buffer;
  readonly inputs: number;
  readonly outputs: number;
  readonly firstInput: number;
  readonly firstOutput: number;
}

/** A block before the sizes and positions of its streams are known. */
interface BlockHeader {
  readonly coders: readonly ConnectedCoder[];
  /** By input, the output from which it is read. */
  readonly bonds: ReadonlyMap<number, number>;
  readonly packedInputs: readonly number[];
  readonly outputs: number;
}

const numbersBelow = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

function parseBlock(reader: HeaderReader): BlockHeader {
  const count = reader.number();
  if (count === 0 || count > maxCoders) throw damaged('a block has too many coders');
  const coders: ConnectedCoder[] = [];
  let inputs = 0;
  let outputs = 0;
  for (let index = 0; index < count; index++) {
    const flags = reader.byte();
    const method = reader.bytes(flags & 0x0f).toString('hex');
    const isComplex = (flags & 0x10) !== 0;
    const ownInputs = isComplex ? reader.number() : 1;
    const ownOutputs = isComplex ? reader.number() : 1;
    const settings = (flags & 0x20) === 0 ? noSettings : reader.bytes(reader.number());
    if ((flags & 0xc0) !== 0 || ownInputs > maxCoders || ownOutputs > maxCoders)
      throw damaged('a coder is damaged');
    coders.push({
      method,
      settings,
      inputs: ownInputs,
      outputs: ownOutputs,
      firstInput: inputs,
      firstOutput: outputs,
    });
    inputs += ownInputs;
    outputs += ownOutputs;
  }
  const bondCount = outputs - 1;
  if (outputs === 0 || inputs < bondCount) throw damaged('the coders of a block are not connected');
  const bonds = new Map<number, number>();
  for (let index = 0; index < bondCount; index++) bonds.set(reader.number(), reader.number());
  const packedCount = inputs - bondCount;
  let packedInputs: readonly number[];
  if (packedCount === 1)
    packedInputs = numbersBelow(inputs)
      .filter((input) => !bonds.has(input))
      .slice(0, 1);
  else packedInputs = Array.from({ length: packedCount }, () => reader.number());
  return { coders, bonds, packedInputs, outputs };
}

/** The packed streams of all blocks, one after the other. */
class PackedStreams {
  readonly #sizes: readonly number[];
  readonly #archiveBytes: number;
  #position: number;
  #next = 0;

  constructor(position: number, sizes: readonly number[], archiveBytes: number) {
    this.#position = position;
    this.#sizes = sizes;
    this.#archiveBytes = archiveBytes;
  }

  take(): PackedStream {
    const size = this.#sizes[this.#next];
    this.#next += 1;
    if (size === undefined) throw damaged('a block has no data');
    const stream = { position: this.#position, size };
    this.#position += size;
    if (this.#position > this.#archiveBytes) throw damaged('the data of a block is outside of the archive');
    return stream;
  }
}

/** Connects the coders of a block, from the packed data to the content. */
function connectBlock(
  { coders, bonds, packedInputs, outputs }: BlockHeader,
  sizes: readonly number[],
  packed: PackedStreams,
): Block {
  const streams = packedInputs.map(() => packed.take());
  const bound = new Set(bonds.values());
  const main = numbersBelow(outputs).filter((output) => !bound.has(output));
  const [last] = main;
  if (last === undefined || main.length !== 1) throw damaged('the coders of a block are not connected');
  const isEncrypted = coders.some(({ method }) => method === encryptionMethod);
  const size = sizes[last] ?? 0;
  const unsupported = { packed: null, coders: [], isEncrypted, size };
  const chain: Coder[] = [];
  for (let output: number | undefined = last; output !== undefined;) {
    const from: number = output;
    const coder = coders.find(
      ({ firstOutput, outputs: own }) => firstOutput <= from && from < firstOutput + own,
    );
    if (coder === undefined || chain.length > coders.length)
      throw damaged('the coders of a block are not connected');
    if (coder.inputs !== 1 || coder.outputs !== 1) return unsupported;
    chain.unshift({ method: coder.method, settings: coder.settings, size: sizes[from] ?? 0 });
    const next = bonds.get(coder.firstInput);
    if (next === undefined && coder.firstInput !== packedInputs[0]) throw damaged('a block has no data');
    output = next;
  }
  const [stream] = streams;
  if (streams.length !== 1 || stream === undefined) return unsupported;
  return { packed: stream, coders: chain, isEncrypted, size };
}

/** Reads the checksums of `count` values; null for absent ones. */
function parseChecksums(reader: HeaderReader, count: number): (number | null)[] {
  return reader.presence(count).map((isPresent) => (isPresent ? reader.uint32() : null));
}

/**
 * Parses the description of streams, whose property identifier has been read. `dataStart` is the position of the packed data in the file,
 * and `archiveBytes` its size. Throws `archive_damaged`, `archive_too_large`.
 */
export async function parseStreams(
  reader: HeaderReader,
  dataStart: number,
  archiveBytes: number,
): Promise<Substream[]> {
  let id = reader.byte();
  let packed = new PackedStreams(dataStart, [], archiveBytes);
  if (id === properties.packInfo) {
    packed = parsePackInfo(reader, dataStart, archiveBytes);
    id = reader.byte();
  }
  let blocks: Block[] = [];
  let checksums: (number | null)[] = [];
  if (id === properties.unpackInfo) {
    ({ blocks, checksums } = await parseUnpackInfo(reader, packed));
    id = reader.byte();
  }
  let substreams = blocks.map((block, index) => ({
    block,
    start: 0,
    size: block.size,
    crc: checksums[index] ?? null,
  }));
  if (id === properties.substreams) {
    substreams = parseSubstreams(reader, blocks, checksums);
    id = reader.byte();
  }
  if (id !== properties.end) throw damaged('the header contains an unknown property');
  return substreams;
}

function parsePackInfo(reader: HeaderReader, dataStart: number, archiveBytes: number): PackedStreams {
  const position = dataStart + reader.number();
  const count = reader.count(maxMembers);
  let sizes: number[] = [];
  let id = reader.byte();
  if (id === properties.size) {
    sizes = Array.from({ length: count }, () => reader.number());
    id = reader.byte();
  }
  if (id === properties.crc) {
    parseChecksums(reader, count);
    id = reader.byte();
  }
  if (id !== properties.end) throw damaged('the header contains an unknown property');
  return new PackedStreams(position, sizes, archiveBytes);
}

async function parseUnpackInfo(
  reader: HeaderReader,
  packed: PackedStreams,
): Promise<{ blocks: Block[]; checksums: (number | null)[] }> {
  if (reader.byte() !== properties.folder) throw damaged('the header has no blocks');
  const count = reader.count(maxMembers);
  reader.assertInline();
  const yielder = new Yielder();
  const headers: BlockHeader[] = [];
  let coders = 0;
  while (headers.length < count) {
    const header = parseBlock(reader);
    coders += header.coders.length;
    if (coders > maxAllCoders) throw new AppError('archive_too_large');
    headers.push(header);
    if (yielder.isDue()) await yielder.yield();
  }
  if (reader.byte() !== properties.unpackSizes) throw damaged('the sizes of blocks are missing');
  const blocks: Block[] = [];
  for (const header of headers) {
    const sizes = Array.from({ length: header.outputs }, () => reader.number());
    blocks.push(connectBlock(header, sizes, packed));
    if (yielder.isDue()) await yielder.yield();
  }
  let checksums: (number | null)[] = [];
  let id = reader.byte();
  if (id === properties.crc) {
    checksums = parseChecksums(reader, count);
    id = reader.byte();
  }
  if (id !== properties.end) throw damaged('the header contains an unknown property');
  return { blocks, checksums };
}

/** Divides the blocks into the contents of files. The size of the last file of a block is the rest. */
function parseSubstreams(
  reader: HeaderReader,
  blocks: readonly Block[],
  blockChecksums: readonly (number | null)[],
): Substream[] {
  let id = reader.byte();
  let counts = blocks.map(() => 1);
  if (id === properties.substreamCounts) {
    let left = maxMembers;
    counts = blocks.map(() => {
      const count = reader.count(left);
      left -= count;
      return count;
    });
    id = reader.byte();
  }
  const hasSizes = id === properties.size;
  const sizes = blocks.map((block, index) => {
    const count = counts[index] ?? 0;
    let rest = block.size;
    const own: number[] = [];
    for (let at = 0; at < count - 1; at++) {
      if (!hasSizes) throw damaged('the sizes of files are missing');
      const size = reader.number();
      rest -= size;
      own.push(size);
    }
    if (rest < 0) throw damaged('files are larger than their block');
    if (count > 0) own.push(rest);
    return own;
  });
  if (hasSizes) id = reader.byte();
  /** The checksum of a block with one file is that of the file. */
  const isKnown = (index: number): boolean => counts[index] === 1 && (blockChecksums[index] ?? null) !== null;
  const unknown = counts.reduce((sum, count, index) => sum + (isKnown(index) ? 0 : count), 0);
  let checksums: (number | null)[] = [];
  if (id === properties.crc) {
    checksums = parseChecksums(reader, unknown);
    id = reader.byte();
  }
  if (id !== properties.end) throw damaged('the header contains an unknown property');
  let next = 0;
  return blocks.flatMap((block, index) => {
    let start = 0;
    return (sizes[index] ?? []).map((size) => {
      const crc = isKnown(index) ? (blockChecksums[index] ?? null) : (checksums[next++] ?? null);
      const substream = { block, start, size, crc };
      start += size;
      return substream;
    });
  });
}
