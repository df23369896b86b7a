import { crc32 } from 'node:zlib';
import { AppError } from '../../../errors.ts';
import type { OpenFile } from '../../../storage/storage.ts';
import { readAt, StreamSource } from '../file-bytes.ts';
import { maxDirectoryBytes } from '../limits.ts';
import { readBlock } from './decode-block.ts';
import { damaged, HeaderReader } from './header-reader.ts';
import { parseFiles, type SevenZipMember } from './parse-files.ts';
import { type Block, parseStreams, properties, type Substream } from './parse-streams.ts';

/** The size of the signature header, after which the packed data begin, in bytes. */
const signatureHeaderBytes = 32;
const signature = Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]);
/** Headers are compressed once; more often only to waste time. */
const maxEncodings = 4;

/** Reads the header, which is at the end of the file. Null for an archive without files. */
async function readHeader(file: OpenFile): Promise<Buffer | null> {
  const start = await readAt(file, 0, signatureHeaderBytes);
  if (start.length < signatureHeaderBytes || !start.subarray(0, signature.length).equals(signature))
    throw new AppError('unsupported_archive_format', 'the file is not a 7z archive');
  if (start.readUInt8(6) !== 0)
    throw new AppError('unsupported_archive_format', 'the archive has an unknown version');
  if (crc32(start.subarray(12)) !== start.readUInt32LE(8))
    throw damaged('the beginning of the archive is damaged');
  const offset = Number(start.readBigUInt64LE(12));
  const size = Number(start.readBigUInt64LE(20));
  if (size === 0) return null;
  if (signatureHeaderBytes + offset + size > file.entry.size) throw damaged('the archive is truncated');
  if (size > maxDirectoryBytes) throw new AppError('archive_too_large');
  const header = await readAt(file, signatureHeaderBytes + offset, size);
  if (header.length < size) throw damaged('the archive is truncated');
  if (crc32(header) !== start.readUInt32LE(28)) throw damaged('the header is damaged');
  return header;
}

/** Decompresses a header. Throws the errors of {@link readBlock}, and `archive_too_large`. */
async function decodeHeader(file: OpenFile, reader: HeaderReader, signal?: AbortSignal): Promise<Buffer> {
  const [stream, ...others] = await parseStreams(reader, signatureHeaderBytes, file.entry.size);
  if (stream === undefined || others.length > 0) throw damaged('the header is damaged');
  if (stream.size > maxDirectoryBytes) throw new AppError('archive_too_large');
  const pieces: Uint8Array[] = [];
  for await (const piece of readBlock(file, stream.block, signal)) pieces.push(piece);
  const header = Buffer.concat(pieces);
  if (stream.crc !== null && crc32(header) !== stream.crc) throw damaged('the header has a wrong checksum');
  return header;
}

/**
 * Returns the members of a 7z archive. Throws `unsupported_archive_format`, `archive_damaged`, `archive_too_large`, and
 * `archive_encrypted` when the names are encrypted too.
 */
export async function readSevenZipMembers(file: OpenFile, signal?: AbortSignal): Promise<SevenZipMember[]> {
  let header = await readHeader(file);
  for (let encodings = 0; header !== null && header.length > 0; encodings++) {
    const reader = new HeaderReader(header);
    const id = reader.byte();
    if (id === properties.header) return parseHeader(reader, file.entry.size);
    if (id !== properties.encodedHeader || encodings === maxEncodings) throw damaged('the header is damaged');
    header = await decodeHeader(file, reader, signal);
  }
  return [];
}

async function parseHeader(reader: HeaderReader, archiveBytes: number): Promise<SevenZipMember[]> {
  let substreams: Substream[] = [];
  let members: SevenZipMember[] = [];
  for (let id = reader.byte(); id !== properties.end; id = reader.byte()) {
    if (id === properties.archiveProperties) {
      for (let property = reader.byte(); property !== properties.end; property = reader.byte())
        reader.bytes(reader.number());
    } else if (id === properties.mainStreams && substreams.length === 0) {
      substreams = await parseStreams(reader, signatureHeaderBytes, archiveBytes);
    } else if (id === properties.files && members.length === 0) {
      members = await parseFiles(reader, substreams);
    } else {
      throw damaged('the header contains an unknown property');
    }
  }
  return members;
}

/** Reads the contents of the files of one archive. A block is decompressed from its beginning, so reading its files in order is fastest. */
export class SevenZipReader {
  readonly #file: OpenFile;
  readonly #signal: AbortSignal | undefined;
  #block: Block | null = null;
  #source: StreamSource | null = null;

  constructor(file: OpenFile, signal?: AbortSignal) {
    this.#file = file;
    this.#signal = signal;
  }

  /**
   * Yields the content of a member. Throws `archive_damaged` when it is shorter than the archive declares or has another checksum,
   * `archive_encrypted`, `unsupported_archive_format`.
   */
  async *read({ content, size }: SevenZipMember): AsyncGenerator<Uint8Array> {
    if (content === null) return;
    const { block, start, crc } = content;
    const source = await this.#sourceAt(block, start);
    let length = 0;
    let checksum = 0;
    for await (const piece of source.stream(size)) {
      length += piece.length;
      checksum = crc32(piece, checksum);
      yield piece;
    }
    if (length !== size) throw damaged('a file is shorter than the archive declares');
    if (crc !== null && checksum !== crc) throw damaged('a file has a wrong checksum');
  }

  /** Returns the content of a block from `start` on. */
  async #sourceAt(block: Block, start: number): Promise<StreamSource> {
    if (this.#source === null || this.#block !== block || this.#source.position > start) {
      await this.close();
      this.#source = new StreamSource(readBlock(this.#file, block, this.#signal), this.#signal);
      this.#block = block;
    }
    await this.#source.skip(start - this.#source.position);
    return this.#source;
  }

  /** Stops reading. The next content begins at its block again. */
  async close(): Promise<void> {
    const source = this.#source;
    this.#source = null;
    await source?.close();
  }
}

/** Yields the content of one member; see {@link SevenZipReader.read}. */
export async function* readSevenZipContent(
  file: OpenFile,
  member: SevenZipMember,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = new SevenZipReader(file, signal);
  try {
    yield* reader.read(member);
  } finally {
    await reader.close();
  }
}
