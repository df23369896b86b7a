import fs from 'node:fs';
import { AppError, isAppError } from '../../../errors.ts';
import { at, type Folder } from '../paths/folder.ts';
import { locate, release, type ResolvedEntry, type ScopeRoot } from '../paths/locate.ts';
import { renameByLink } from '../paths/publish.ts';
import { assertReachable } from '../paths/reachable.ts';
import { runSync } from '../paths/steps.ts';
import { attempt, unlink } from '../paths/syscalls.ts';
import { copyOwnerAndMode } from '../writes/copy-owner-and-mode.ts';
import { assertWritable, openNew } from '../writes/new-file.ts';
import type { JournalEntry } from '../writes/temporary-journal.ts';
import { type Outcome, type Slot, type WriteOperation, word } from './ring-layout.ts';
import { setMetadata, UnsuitableError, writeError, writingWalk } from './run-read.ts';
import { folderOfShared, type PublishRequest, shareFolder, type StoreRequest } from './write-requests.ts';

/** Writes all of `bytes`; the system may need several calls. Throws `storage_full` when it writes none. */
function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    const count = fs.writeSync(descriptor, bytes, written, bytes.length - written);
    if (count === 0) throw new AppError('storage_full');
    written += count;
  }
}

function appendToJournal({ descriptor, text }: JournalEntry): void {
  const bytes = Buffer.from(text);
  if (fs.writeSync(descriptor, bytes) < bytes.length) throw new AppError('storage_full');
}

/** Creates, fills and flushes the temporary file beside the target. A failed file is removed. */
function fill({ folder, stats }: ResolvedEntry, request: StoreRequest, slot: Slot): void {
  const { words, data } = slot;
  const start =
    (words[word.scopeLength] ?? 0) + (words[word.pathLength] ?? 0) + (words[word.requestLength] ?? 0);
  const body = data.subarray(start, start + (words[word.bodyLength] ?? 0));
  const path = at(folder, request.temporary);
  const descriptor = runSync(openNew({ modes: request.modes }, path));
  try {
    if (stats !== null)
      runSync(copyOwnerAndMode(descriptor, fs.fstatSync(descriptor, { bigint: true }), stats));
    writeAll(descriptor, body);
    const startMs = performance.now();
    fs.fdatasyncSync(descriptor);
    words[word.flushMicros] = Math.ceil((performance.now() - startMs) * 1000);
    setMetadata(slot, fs.fstatSync(descriptor, { bigint: true }));
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Reports an error. `isClean` means that the temporary file does not exist. */
function fail(slot: Slot, error: unknown, isClean: boolean): Outcome {
  writeError(slot, error);
  slot.words[word.entries] = isClean ? 1 : 0;
  return 'failed';
}

/** Stores the file and gives it its name, or keeps its folder open. */
function store(
  scopeRoot: ScopeRoot,
  segments: readonly string[],
  request: StoreRequest,
  slot: Slot,
): Outcome {
  const resolved = runSync(locate(scopeRoot, segments, writingWalk));
  const { folder, name, stats, lacksParents } = resolved;
  let isKept = false;
  try {
    if (lacksParents || name === '' || (stats === null) !== request.isNew) throw new UnsuitableError();
    assertWritable(stats, request.mode);
    try {
      if (request.journal !== null) appendToJournal(request.journal);
      fill(resolved, request, slot);
    } catch (error) {
      return fail(slot, error, isRemoved(folder, request.temporary));
    }
    if (request.isNamedAtOnce && tryPublish(folder, request.temporary, name)) return 'named';
    const result = folder === scopeRoot.root ? null : shareFolder(folder);
    slot.words[word.length] = slot.data.write(JSON.stringify(result));
    isKept = true;
    return 'stored';
  } finally {
    if (!isKept) release(scopeRoot, resolved);
  }
}

/** Removes the temporary file. Returns whether it is gone. */
function isRemoved(folder: Folder, temporary: string): boolean {
  try {
    runSync(attempt(unlink(at(folder, temporary)), 'ENOENT'));
    return true;
  } catch {
    return false;
  }
}

/** Renames a stored file to its name. */
function publish(folder: Folder, temporary: string, name: string): Outcome {
  runSync(assertReachable(folder));
  try {
    return runSync(renameByLink(folder, temporary, folder, name)) ? 'published' : 'unsuitable';
  } catch (error) {
    if (isAppError(error, 'already_exists')) return 'exists';
    throw error;
  }
}

/** Whether a stored file could be published. Otherwise nothing has changed, and the server finds out why. */
function tryPublish(folder: Folder, temporary: string, name: string): boolean {
  try {
    return publish(folder, temporary, name) === 'published';
  } catch {
    return false;
  }
}

function publishShared({ folder, temporary, name }: PublishRequest): Outcome {
  return publish(folderOfShared(folder), temporary, name);
}

/** Does one job that writes with blocking calls. The result is written to the slot; errors are an outcome. */
export function runWrite(
  scopeRoot: ScopeRoot,
  operation: WriteOperation,
  segments: readonly string[],
  request: string,
  slot: Slot,
): Outcome {
  try {
    // Only write-through-ring.ts writes these requests.
    return operation === 'publish'
      ? publishShared(JSON.parse(request) as PublishRequest)
      : store(scopeRoot, segments, JSON.parse(request) as StoreRequest, slot);
  } catch (error) {
    if (error instanceof UnsuitableError) return 'unsuitable';
    // Every error of `store` that gets here came before its first change.
    if (operation === 'store') return fail(slot, error, true);
    writeError(slot, error);
    return 'error';
  }
}
