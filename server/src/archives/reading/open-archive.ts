import type { ReadableArchiveFormat } from '@filestead/contract/values/archive-formats';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { openFairQueue } from '../../scheduling/fair-queue.ts';
import type { Party } from '../../scheduling/party.ts';
import type { OpenFile } from '../../storage/storage.ts';
import { formatOf, openTarSource, type TarFormat } from './archive-format.ts';
import { type ArchiveIndex, IndexBuilder } from './archive-index.ts';
import type { ArchiveMember } from './archive-member.ts';
import { readTar, readTarContent, type TarMember } from './read-tar.ts';
import { readZipContent, readZipMembers, type ZipMember } from './read-zip.ts';
import type { SevenZipMember } from './seven-zip/parse-files.ts';
import { readSevenZipContent, readSevenZipMembers, SevenZipReader } from './seven-zip/read-seven-zip.ts';

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
   * `archive_damaged`, `archive_encrypted`, `archive_too_large`, `archive_format_unavailable`, and `too_busy` when many archives are being read.
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

async function readIndex(
  file: OpenFile,
  format: ReadableArchiveFormat,
  signal: AbortSignal,
): Promise<ArchiveIndex> {
  if (format === 'zip') return indexOf(await readZipMembers(file));
  if (format === '7z') return indexOf(await readSevenZipMembers(file, signal));
  const builder = new IndexBuilder<TarMember>();
  const source = openTarSource(file, format, signal);
  try {
    for await (const { member } of readTar(source)) builder.add(member);
  } finally {
    await source.close();
  }
  return builder.finish();
}

function indexOf<Member extends ArchiveMember>(members: readonly Member[]): Promise<ArchiveIndex<Member>> {
  const builder = new IndexBuilder<Member>();
  for (const member of members) builder.add(member);
  return builder.finish();
}

/** Yields the content of a tar member, which is found again by its offset. */
async function* readTarMember(
  file: OpenFile,
  format: TarFormat,
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

function openZip(file: OpenFile, index: ArchiveIndex): OpenArchive {
  return {
    index,
    content: (member, signal) => readZipContent(file, member as ZipMember, signal),
    async *files(signal) {
      for (const member of byOffset(index))
        yield { member, content: () => readZipContent(file, member as ZipMember, signal) };
    },
  };
}

function openSevenZip(file: OpenFile, index: ArchiveIndex): OpenArchive {
  return {
    index,
    content: (member, signal) => readSevenZipContent(file, member as SevenZipMember, signal),
    async *files(signal) {
      const reader = new SevenZipReader(file, signal);
      try {
        for (const member of byOffset(index))
          yield { member, content: () => reader.read(member as SevenZipMember) };
      } finally {
        await reader.close();
      }
    },
  };
}

function openTar(file: OpenFile, format: TarFormat, index: ArchiveIndex): OpenArchive {
  return {
    index,
    content: (member, signal) => readTarMember(file, format, member as TarMember, signal),
    async *files(signal) {
      const source = openTarSource(file, format, signal);
      try {
        for (const member of byOffset(index)) {
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

function openWith(file: OpenFile, format: ReadableArchiveFormat, index: ArchiveIndex): OpenArchive {
  if (format === 'zip') return openZip(file, index);
  return format === '7z' ? openSevenZip(file, index) : openTar(file, format, index);
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
