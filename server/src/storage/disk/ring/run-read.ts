import fs from 'node:fs';
import { AppError, isAppError } from '../../../errors.ts';
import { readFewEntries } from '../../listings/few-entries.ts';
import { fillEntry, orderNames } from '../../listings/read-listing.ts';
import { openAt } from '../open-file.ts';
import { sendableError } from '../paths/errors.ts';
import { at, closeFolder, type Folder } from '../paths/folder.ts';
import {
  enter,
  locate,
  type LocateOptions,
  type ResolvedEntry,
  release,
  type ScopeRoot,
} from '../paths/locate.ts';
import type { Metadata } from '../paths/metadata.ts';
import { runSync } from '../paths/steps.ts';
import {
  type ReadOperation,
  type Outcome,
  type Slot,
  maxContentBytes,
  maxListedEntries,
  maxNameBytes,
  namesOffset,
  word,
} from './ring-layout.ts';

/** Thrown when a request depends on a link, which the server must check, or its result does not fit into a slot. */
export class UnsuitableError extends Error {
  override readonly name = 'UnsuitableError';
}

/** Called for a link in the path. Only the server can decide whether its target is accessible. */
export const refuseLink = (): never => {
  throw new UnsuitableError();
};

/** Writes metadata to a slot. */
export function setMetadata({ metadata }: Slot, stats: Metadata): void {
  metadata[0] = stats.dev;
  metadata[1] = stats.ino;
  metadata[2] = stats.size;
  metadata[3] = stats.mtimeNs;
  metadata[4] = stats.ctimeNs;
  metadata[5] = stats.mode;
  metadata[6] = stats.birthtimeNs;
  metadata[7] = stats.mtimeNs >> 64n;
}

/** Reads up to `length` bytes of the file into the slot. Returns the number of bytes read. */
function readContent(descriptor: number, slot: Slot, length: number): number {
  let filled = 0;
  while (filled < length) {
    const read = fs.readSync(descriptor, slot.data, filled, length - filled, filled);
    if (read === 0) break;
    filled += read;
  }
  return filled;
}

/** Opens a file. A file of up to `maxBytes` is read and closed again. */
function open(scopeRoot: ScopeRoot, resolved: ResolvedEntry, slot: Slot, maxBytes: number): Outcome {
  const { descriptor, stats } = runSync(openAt(scopeRoot, resolved));
  let isKept = false;
  try {
    setMetadata(slot, stats);
    if (stats.size <= maxBytes) {
      slot.words[word.length] = readContent(descriptor, slot, Number(stats.size));
      return 'content';
    }
    slot.words[word.descriptor] = descriptor;
    isKept = true;
    return 'descriptor';
  } finally {
    if (!isKept) fs.closeSync(descriptor);
  }
}

/** Lists the open folder. */
function listOpen(scopeRoot: ScopeRoot, folder: Folder, slot: Slot): Outcome {
  const stats = fs.lstatSync(at(folder, '.'), { bigint: true });
  const dirents = readFewEntries(folder, maxListedEntries);
  // Links are resolved and checked without the ring.
  if (dirents === null || dirents.some((dirent) => dirent.isSymbolicLink())) throw new UnsuitableError();
  const { names, folderCount } = orderNames({ scopeRoot, folder }, dirents);
  const text = names.join('/');
  // A UTF-16 unit takes at most three bytes in UTF-8.
  if (text.length * 3 > maxNameBytes && Buffer.byteLength(text) > maxNameBytes) throw new UnsuitableError();
  for (const [position, name] of names.entries())
    fillEntry(slot.listed, position, { scopeRoot, folder }, name);
  slot.words[word.entries] = names.length;
  slot.words[word.folders] = folderCount;
  slot.words[word.nameLength] = slot.data.write(text, namesOffset);
  setMetadata(slot, stats);
  return 'folder';
}

function list(scopeRoot: ScopeRoot, resolved: ResolvedEntry, slot: Slot): Outcome {
  if (resolved.stats === null) throw new AppError('not_found');
  if (!resolved.stats.isDirectory()) throw new AppError('not_a_folder');
  const folder = runSync(enter(scopeRoot, resolved));
  try {
    return listOpen(scopeRoot, folder, slot);
  } finally {
    if (folder !== resolved.folder) closeFolder(folder);
  }
}

/** The file that a write would replace. The server resolves the root, and creates missing parents. */
function target(resolved: ResolvedEntry, slot: Slot): Outcome {
  if (resolved.lacksParents || resolved.name === '') throw new UnsuitableError();
  return stat(resolved, slot);
}

function stat({ stats }: ResolvedEntry, slot: Slot): Outcome {
  if (stats === null) return 'missing';
  setMetadata(slot, stats);
  return 'entry';
}

function readResolved(
  scopeRoot: ScopeRoot,
  operation: ReadOperation,
  resolved: ResolvedEntry,
  slot: Slot,
): Outcome {
  switch (operation) {
    case 'stat':
      return stat(resolved, slot);
    case 'read':
      return open(scopeRoot, resolved, slot, maxContentBytes);
    case 'open':
      return open(scopeRoot, resolved, slot, -1);
    case 'list':
      return list(scopeRoot, resolved, slot);
    case 'target':
      return target(resolved, slot);
    case 'statOrList':
      return resolved.stats?.isDirectory() === true ? list(scopeRoot, resolved, slot) : stat(resolved, slot);
  }
}

/** Writes an error to a slot. */
export function writeError(slot: Slot, error: unknown): void {
  const { code = '', message } = sendableError(error);
  slot.words[word.length] = slot.data.write(JSON.stringify([code, message]));
}

/** Options of the walk to a file that is going to be created or replaced. */
export const writingWalk: LocateOptions = {
  leaf: 'follow',
  forWriting: true,
  createParents: 'later',
  onLink: refuseLink,
};

/** Does one job with blocking calls. The result is written to the slot; errors are an outcome. */
export function runRead(
  scopeRoot: ScopeRoot,
  operation: ReadOperation,
  segments: readonly string[],
  slot: Slot,
): Outcome {
  try {
    const walk: LocateOptions = operation === 'target' ? writingWalk : { leaf: 'follow', onLink: refuseLink };
    const resolved = runSync(locate(scopeRoot, segments, walk));
    try {
      return readResolved(scopeRoot, operation, resolved, slot);
    } finally {
      release(scopeRoot, resolved);
    }
  } catch (error) {
    if (error instanceof UnsuitableError) return 'unsuitable';
    const isStat = operation === 'stat' || operation === 'statOrList';
    if (isStat && isAppError(error, 'not_found', 'not_a_folder')) return 'missing';
    writeError(slot, error);
    return 'error';
  }
}
