import type { ArchiveFormat } from '@filestead/contract/values/archive-formats';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { openFairQueue } from '../../scheduling/fair-queue.ts';
import type { Party } from '../../scheduling/party.ts';
import type { OpenFile } from '../../storage/storage.ts';
import { formatOf, openTarSource } from './archive-format.ts';
import { type ArchiveIndex, IndexBuilder } from './archive-index.ts';
import type { ArchiveMember } from './archive-member.ts';
import { readTar, readTarContent, type TarMember } from './read-tar.ts';
import { readZipContent, readZipMembers, type ZipMember } from './read-zip.ts';

/** An archive whose members are known. Valid until its file is closed. */
export interface OpenArchive {
  readonly index: ArchiveIndex;
  /** Yields the content of a file of the index, from its beginning. */
  content(member: ArchiveMember, signal?: AbortSignal): AsyncGenerator<Uint8Array>;
  /**
   * Yields the files of the index in the order in which their contents are read fastest. Each content is consumed, if at
   * all, before the next file is requested.
   */
  files(
    signal: AbortSignal,
  ): AsyncGenerator<{ member: ArchiveMember; content: () => AsyncGenerator<Uint8Array> }>;
}

/** Reads archives, and caches the indexes of those that were read last. */
export interface ArchiveReader {
  /**
   * Reads the index of the archive at `path`, which was opened as `file`. Throws `unsupported_archive_format`,
   * `archive_damaged`, `archive_too_large`, `archive_format_unavailable`, and `too_busy` when many archives are being read.
   */
  open(
    file: OpenFile,
    path: VirtualPath,
    options: { party: Party; signal: AbortSignal },
  ): Promise<OpenArchive>;
}

/** Maximum number of indexes that are kept in memory, and of their entries in total. */
const maxIndexes = 8;
const maxIndexedEntries = 300_000;
/** Maximum number of indexes that are read at the same time, and of those that wait. */
const maxReading = 2;
const maxWaiting = 32;

async function readIndex(file: OpenFile, format: ArchiveFormat, signal: AbortSignal): Promise<ArchiveIndex> {
  if (format === 'zip') {
    const builder = new IndexBuilder<ZipMember>();
    for (const member of await readZipMembers(file)) builder.add(member);
    return builder.finish();
  }
  const builder = new IndexBuilder<TarMember>();
  const source = openTarSource(file, format, signal);
  try {
    for await (const { member } of readTar(source)) builder.add(member);
  } finally {
    await source.close();
  }
  return builder.finish();
}

/** Yields the content of a tar member, which is found again by its offset. */
async function* readTarMember(
  file: OpenFile,
  format: Exclude<ArchiveFormat, 'zip'>,
  { contentOffset, size }: TarMember,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const source = openTarSource(file, format, signal);
  try {
    await source.skip(contentOffset);
    yield* readTarContent(source, size);
  } finally {
    await source.close();
  }
}

/** Returns the files of an index in the order of their offsets. A file and its hard links are one member. */
function byOffset(index: ArchiveIndex): ArchiveMember[] {
  const members = new Set<ArchiveMember>();
  for (const { member, children } of index.entries.values())
    if (children === null && member !== null) members.add(member);
  return [...members].sort((a, b) => a.offset - b.offset);
}

function openWith(file: OpenFile, format: ArchiveFormat, index: ArchiveIndex): OpenArchive {
  const content: OpenArchive['content'] = (member, signal) =>
    format === 'zip'
      ? readZipContent(file, member as ZipMember, signal)
      : readTarMember(file, format, member as TarMember, signal);
  return {
    index,
    content,
    async *files(signal) {
      const members = byOffset(index);
      if (format === 'zip') {
        for (const member of members) yield { member, content: () => content(member, signal) };
        return;
      }
      const source = openTarSource(file, format, signal);
      try {
        for (const member of members) {
          const { contentOffset, size } = member as TarMember;
          await source.skip(contentOffset - source.position);
          yield { member, content: () => readTarContent(source, size) };
        }
      } finally {
        await source.close();
      }
    },
  };
}

/** Opens the reader of a server. */
export function openArchiveReader(): ArchiveReader {
  /** By format and fingerprint of the file; the one that was used last is at the end. */
  const indexes = new Map<string, ArchiveIndex>();
  const queue = openFairQueue({ running: maxReading, waiting: maxWaiting, refusal: 'too_busy' });
  const remember = (key: string, index: ArchiveIndex): void => {
    indexes.delete(key);
    indexes.set(key, index);
    let entries = 0;
    for (const kept of indexes.values()) entries += kept.entries.size;
    for (const [oldest, { entries: dropped }] of indexes) {
      if (indexes.size <= maxIndexes && entries <= maxIndexedEntries) return;
      indexes.delete(oldest);
      entries -= dropped.size;
    }
  };
  return {
    async open(file, path, { party, signal }) {
      const format = formatOf(path);
      const key = `${format} ${file.fingerprint}`;
      const known = indexes.get(key);
      const index = known ?? (await queue.run(party, async () => readIndex(file, format, signal), signal));
      remember(key, index);
      return openWith(file, format, index);
    },
  };
}
