import type { Duplex } from 'node:stream';
import * as zlib from 'node:zlib';
import { createBrotliDecompress, createGunzip, createInflateRaw } from 'node:zlib';
import { AppError } from '../../errors.ts';
import { startFilter, throughProgram, throughStream } from '../through-stream.ts';
import { decompressInWorker } from './decompress-pool.ts';

/** The compression methods that can be read. */
export type Compression = 'deflate' | 'gzip' | 'bzip2' | 'lzma' | 'xz' | 'lz4' | 'snappy' | 'zstd' | 'brotli';

/** Size of the chunks that the streams produce, in bytes. */
const chunkSize = 128 * 1024;

type Bytes = AsyncIterable<Uint8Array>;

/** `node:zlib` with zstd, which the types of Node 20 lack. */
type ZlibWithZstd = typeof zlib & {
  readonly createZstdDecompress?: (options: { chunkSize: number }) => Duplex;
};

/** zstd of Node since 22.15; before that the installed program `zstd`. */
async function zstd(source: Bytes): Promise<Bytes> {
  const { createZstdDecompress } = zlib as ZlibWithZstd;
  if (createZstdDecompress !== undefined) return throughStream(source, createZstdDecompress({ chunkSize }));
  const args = ['--decompress', '--stdout', '--quiet', '--no-progress', '--memory=128MB'];
  const program = await startFilter('zstd', args);
  if (program === null)
    throw new AppError('archive_format_unavailable', 'zstd is not available on this server');
  return throughProgram(source, program);
}

const openers: Readonly<Record<Compression, (source: Bytes) => Bytes | Promise<Bytes>>> = {
  deflate: (source) => throughStream(source, createInflateRaw({ chunkSize })),
  gzip: (source) => throughStream(source, createGunzip({ chunkSize })),
  brotli: (source) => throughStream(source, createBrotliDecompress({ chunkSize })),
  bzip2: (source) => decompressInWorker('bzip2', source),
  lz4: (source) => decompressInWorker('lz4', source),
  lzma: (source) => decompressInWorker('lzma', source),
  xz: (source) => decompressInWorker('xz', source),
  async snappy(source) {
    const { createUncompressStream } = await import('snappy');
    return throughStream(source, createUncompressStream());
  },
  zstd,
};

/**
 * Decompresses `source` outside the event loop, as fast as the result is consumed. Throws `archive_damaged`, and
 * `archive_format_unavailable` when this system cannot read the format; errors of `source` are passed on.
 */
export async function* decompress(compression: Compression, source: Bytes): AsyncGenerator<Uint8Array> {
  const failure: { error: unknown } = { error: null };
  const watched = async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      yield* source;
    } catch (error) {
      failure.error = error;
      throw error;
    }
  };
  try {
    yield* await openers[compression](watched());
  } catch (error) {
    if (failure.error !== null) throw failure.error;
    if (error instanceof AppError) throw error;
    throw new AppError('archive_damaged', undefined, { cause: error });
  }
}
