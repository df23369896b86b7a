import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { archiveFormatOfName, type ReadableArchiveFormat } from '@filestead/contract/values/archive-formats';
import { AppError } from '../../errors.ts';
import type { OpenFile } from '../../storage/storage.ts';
import { type Compression, decompress } from '../decoding/decompress.ts';
import { type ByteSource, FileSource, readBytes, StreamSource } from './file-bytes.ts';

/** The formats that contain a tar. */
export type TarFormat = Exclude<ReadableArchiveFormat, 'zip' | '7z'>;

/** The compression of the formats that contain a tar; null for one that is not compressed. */
const compressions: Readonly<Record<TarFormat, Compression | null>> = {
  tar: null,
  targz: 'gzip',
  tarbz2: 'bzip2',
  tarxz: 'xz',
  tarlz4: 'lz4',
  tarsz: 'snappy',
  tarzst: 'zstd',
  tarbr: 'brotli',
};

/** Returns the format of a file by its name. Throws `unsupported_archive_format` for other files. */
export function formatOf(path: VirtualPath): ReadableArchiveFormat {
  const format = archiveFormatOfName(nameOf(path));
  if (format === null)
    throw new AppError('unsupported_archive_format', 'the file is not an archive that can be read');
  return format;
}

/** Opens the tar in a file. */
export function openTarSource(file: OpenFile, format: TarFormat, signal?: AbortSignal): ByteSource {
  const compression = compressions[format];
  if (compression === null) return new FileSource(file, signal);
  return new StreamSource(decompress(compression, readBytes(file, 0, Infinity, signal)), signal);
}
