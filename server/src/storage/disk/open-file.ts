import fs from 'node:fs';
import { nameOf, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
import type { Entry, OpenFile } from '../storage.ts';
import { lstat, type RawPath, syscalls } from './paths/syscalls.ts';
import { translateErrors } from './paths/errors.ts';
import { entryOf, fingerprintOf, type Metadata } from './paths/metadata.ts';
import { at, identityOf, isSame, openForReading } from './paths/folder.ts';
import { type ResolvedEntry, type ScopeRoot, release, locate } from './paths/locate.ts';
import { type Steps, perform, runAsync } from './paths/steps.ts';

/** Throws unless `stats` are those of a regular file. */
export function assertFile(stats: fs.BigIntStats | null): asserts stats is fs.BigIntStats {
  if (stats === null) throw new AppError('not_found');
  if (stats.isDirectory()) throw new AppError('is_folder');
  if (stats.isSymbolicLink()) throw new AppError('external_link');
  if (!stats.isFile()) throw new AppError('special_file');
}

/** A file in an open folder: its name, and the metadata with which it was found. */
export type FileInFolder = Pick<ResolvedEntry, 'folder' | 'name' | 'stats'>;

/** The number of times that a file is opened again because it was replaced meanwhile. */
const maxReplacements = 20;

/** A file that is open for reading. */
interface OpenedFile {
  readonly descriptor: number;
  readonly stats: fs.BigIntStats;
}

/** Opens `file` for reading, if it is still a file. The caller closes the descriptor. */
export function* openAt(scopeRoot: ScopeRoot, file: FileInFolder): Steps<OpenedFile> {
  const { folder, name } = file;
  let expected = file.stats;
  for (let replacements = 0; replacements < maxReplacements; replacements++) {
    assertFile(expected);
    const opened = yield* openRegular(at(folder, name));
    // Without descriptors and O_NOFOLLOW only the identity shows that the name was replaced by a link.
    if (scopeRoot.confinement === 'descriptor' || isSame(identityOf(opened.stats), identityOf(expected)))
      return opened;
    fs.closeSync(opened.descriptor);
    expected = yield* perform(lstat(at(folder, name)));
  }
  throw new AppError('external_link');
}

function* openRegular(path: RawPath): Steps<OpenedFile> {
  const descriptor = yield* perform(openForReading(path));
  try {
    const stats = fs.fstatSync(descriptor, { bigint: true });
    assertFile(stats);
    return { descriptor, stats };
  } catch (error) {
    fs.closeSync(descriptor);
    throw error;
  }
}

/** An open file that closes its descriptor. */
export function fileOfDescriptor(entry: Entry, metadata: Metadata, descriptor: number): OpenFile {
  let isOpen = true;
  return {
    entry,
    fingerprint: fingerprintOf(metadata),
    descriptor,
    read: async (buffer, position) =>
      (await translateErrors(syscalls.read(descriptor, buffer, 0, buffer.byteLength, position))).bytesRead,
    close: async () => {
      if (isOpen) fs.closeSync(descriptor);
      isOpen = false;
    },
  };
}

/** `Storage.openFile` on a disk. */
export async function openFile(scopeRoot: ScopeRoot, path: VirtualPath): Promise<OpenFile> {
  const resolved = await runAsync(locate(scopeRoot, segmentsOf(path), { leaf: 'follow' }));
  try {
    const { descriptor, stats } = await runAsync(openAt(scopeRoot, resolved));
    return fileOfDescriptor(entryOf(nameOf(path), stats, resolved.link !== null), stats, descriptor);
  } finally {
    release(scopeRoot, resolved);
  }
}
