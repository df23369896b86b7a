import { promisify } from 'node:util';
import { createDeflateRaw, deflateRaw } from 'node:zlib';
import { mediaTypeOfName } from '../../media-types/media-type.ts';
import type { MemberMetadata } from '../../storage/pack/container.ts';
import { ZipContainer } from '../../storage/pack/zip-container.ts';
import { StreamSource } from '../reading/file-bytes.ts';
import { readTar, type StreamedMember } from '../reading/read-tar.ts';
import { throughStream } from '../through-stream.ts';

/** Files up to this size (bytes) are compressed in one step, which is faster. */
const smallBytes = 256 * 1024;
/** Levels of zlib: of most files, and of those that are compressed already. */
const usualLevel = 6;
const storedLevel = 0;

const deflate = promisify(deflateRaw);

/** Media types of contents that deflate cannot shrink. */
const isCompressed = (mediaType: string): boolean =>
  (/^(?:image|audio|video)\//.test(mediaType) && !/svg|bmp|wav|tiff/.test(mediaType)) ||
  /zip|compressed|officedocument|opendocument|epub|pdf/.test(mediaType);

/** Yields the zip of the members of a tar, each compressed on its own, outside the event loop. */
export async function* deflateZip(tar: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const zip = new ZipContainer();
  const source = new StreamSource(tar);
  try {
    for await (const streamed of readTar(source)) yield* packMember(zip, streamed);
  } finally {
    await source.close();
  }
  for (const piece of zip.end()) yield Buffer.from(piece);
}

async function* packMember(
  zip: ZipContainer,
  { member, content }: StreamedMember,
): AsyncGenerator<Uint8Array> {
  const { size, modifiedMs, kind, mode } = member;
  const metadata: MemberMetadata = { size, modifiedMs: modifiedMs ?? 0, mode };
  const name = member.name.replace(/\/+$/u, '');
  // The bytes of the container are valid until its next call only.
  if (kind === 'folder') {
    yield Buffer.from(zip.folder(name, metadata));
    return;
  }
  const level = isCompressed(mediaTypeOfName(name) ?? '') ? storedLevel : usualLevel;
  yield Buffer.from(zip.compressedFile(name, metadata));
  const checked = async function* checked(): AsyncGenerator<Uint8Array> {
    for await (const piece of content()) {
      zip.piece(piece);
      yield piece;
    }
  };
  let packedSize = 0;
  if (size <= smallBytes) {
    const pieces: Uint8Array[] = [];
    for await (const piece of checked()) pieces.push(Buffer.from(piece));
    const packed = await deflate(Buffer.concat(pieces), { level });
    packedSize = packed.length;
    yield packed;
  } else {
    for await (const piece of throughStream(checked(), createDeflateRaw({ level, chunkSize: 128 * 1024 }))) {
      packedSize += piece.length;
      yield piece;
    }
  }
  yield Buffer.from(zip.compressedTrailer(packedSize));
}
