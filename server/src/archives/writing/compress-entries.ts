import { type ArchiveFormat } from '@filestead/contract/values/archive-formats';
import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Entry, PackedMember, Storage, WriteOptions } from '../../storage/storage.ts';
import { observeChunks } from '../../storage/observe-chunks.ts';
import { memberName } from '../../storage/pack/member-names.ts';
import { openCompressor } from '../open-compressor.ts';
import { planArchive } from '../plan-archive.ts';
import { deflateZip } from './deflate-zip.ts';

/** An archive to create from entries of the same storage. */
export interface CompressEntries {
  readonly paths: readonly VirtualPath[];
  /** The new archive. */
  readonly to: VirtualPath;
  readonly format: ArchiveFormat;
  /** Called with the number of uncompressed bytes so far, headers included. */
  readonly onBytes: (bytes: number) => void;
  readonly beforeChange: () => Promise<void>;
  /** Awaited with the size of the archive, right before it gets its name. */
  readonly beforePublish: (size: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Returns the members of an archive. A single folder is a member itself, unlike in a download. */
async function planMembers(
  storage: Storage,
  paths: readonly VirtualPath[],
  signal: AbortSignal,
): Promise<PackedMember[]> {
  const members = await planArchive(storage, paths, signal);
  const [only] = members;
  if (members.length > 1 || only === undefined) return members;
  return [{ path: only.path, name: memberName(nameOf(only.path)) }];
}

/**
 * Writes an archive that appears under its name when it is complete. Throws the errors of {@link planArchive},
 * `archive_format_unavailable`, `already_exists`, `storage_full`.
 */
export async function compressEntries(storage: Storage, compress: CompressEntries): Promise<Entry> {
  const { paths, to, format, onBytes, beforeChange, beforePublish, signal } = compress;
  const members = await planMembers(storage, paths, signal);
  // A zip is made from the members of a tar, because each of them is compressed on its own.
  const packed = storage.pack(members, { container: 'tar', signal });
  let readBytes = 0;
  const read = observeChunks(packed, ({ length }) => onBytes((readBytes += length)));
  let size = 0;
  const sized = async function* sized(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      size += piece.length;
      // A copy, because a storage keeps the chunks of a file until they are written.
      yield Buffer.from(piece);
    }
    await beforePublish(size);
  };
  const archive = format === 'zip' ? deflateZip(read) : (await openCompressor(format))(read);
  const options: WriteOptions = { mode: 'create', beforeChange, signal };
  return storage.write(to, sized(archive), options);
}
