import fs, { type BigIntStats } from 'node:fs';
import { nameOf, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError, isAppError } from '../../../errors.ts';
import type { Entry, WriteOptions } from '../../storage.ts';
import { syscalls, type RawPath, ignoreErrno } from '../paths/syscalls.ts';
import { type Disk, lockKey, placeholderRunner, withTemporary } from '../disk.ts';
import { entryOf } from '../paths/metadata.ts';
import { at, openFlags } from '../paths/folder.ts';
import { release, locate, type LocateOptions, type ResolvedEntry } from '../paths/locate.ts';
import { defaultModes, openMode, setFileMode } from '../paths/modes.ts';
import { lstatOrNull, renameExclusively } from '../paths/publish.ts';
import { assertReachable } from '../paths/reachable.ts';
import { receive } from './receive.ts';
import { runAsync } from '../paths/steps.ts';
import { copyOwnerAndMode } from './copy-owner-and-mode.ts';

/** Throws unless a file may be written in place of `current`. */
export function assertWritable(current: BigIntStats | null, mode: WriteOptions['mode']): void {
  if (current === null) {
    if (mode === 'replace') throw new AppError('not_found');
    return;
  }
  if (mode === 'create') throw new AppError('already_exists');
  if (current.isDirectory()) throw new AppError('is_folder');
  if (!current.isFile() && !current.isSymbolicLink()) throw new AppError('special_file');
}

/** Creates and opens a file with the configured permission bits. */
export async function openNew({ scopeRoot }: Disk, path: RawPath): Promise<number> {
  const modes = scopeRoot.modes ?? defaultModes;
  const descriptor = await syscalls.open(path, openFlags.create, openMode(modes));
  try {
    await setFileMode(descriptor, modes);
    return descriptor;
  } catch (error) {
    fs.closeSync(descriptor);
    throw error;
  }
}

/** Renames the finished file to its final name, after repeating all checks. */
export async function publish(
  disk: Disk,
  resolved: ResolvedEntry,
  temporary: string,
  path: VirtualPath,
  options: Pick<WriteOptions, 'mode' | 'confirm' | 'beforePublish'>,
): Promise<void> {
  await options.beforePublish?.();
  await assertReachable(resolved.folder);
  for (;;) {
    const current = await lstatOrNull(resolved.folder, resolved.name);
    assertWritable(current, options.mode);
    options.confirm?.(current && entryOf(nameOf(path), current, resolved.link !== null));
    if (current !== null) {
      await syscalls.rename(at(resolved.folder, temporary), at(resolved.folder, resolved.name));
      return;
    }
    try {
      const above = resolved.names.slice(0, -1);
      const runWithPlaceholder = placeholderRunner(
        disk,
        { names: above, name: resolved.name },
        { names: above, name: temporary },
      );
      await renameExclusively(resolved.folder, temporary, resolved.folder, resolved.name, runWithPlaceholder);
      return;
    } catch (error) {
      if (options.mode === 'create' || !isAppError(error, 'already_exists')) throw error;
      // Another writer created the name first: check the current entry again.
    }
  }
}

/** `Storage.write` on a disk: the bytes are written to a temporary file beside the target, which is renamed once it is flushed. */
export async function writeFile(
  disk: Disk,
  path: VirtualPath,
  source: AsyncIterable<Uint8Array>,
  options: WriteOptions,
): Promise<Entry> {
  const { scopeRoot } = disk;
  const { mode, signal } = options;
  signal?.throwIfAborted();
  const resolveTarget = (createParents: LocateOptions['createParents']): Promise<ResolvedEntry> =>
    runAsync(
      locate(scopeRoot, segmentsOf(path), {
        leaf: mode === 'create' ? 'keep' : 'follow',
        forWriting: true,
        createParents,
      }),
    );
  const check = ({ name, stats, link }: ResolvedEntry): void => {
    if (name === '') throw new AppError(mode === 'create' ? 'already_exists' : 'is_folder');
    assertWritable(stats, mode);
    options.confirm?.(stats && entryOf(nameOf(path), stats, link !== null));
  };
  let resolved = await resolveTarget(options.createParents === true ? 'later' : false);
  try {
    check(resolved);
    await options.beforeChange?.();
    if (resolved.lacksParents) {
      const withParents = await resolveTarget(true);
      release(scopeRoot, resolved);
      resolved = withParents;
      check(resolved);
    }
    return await writeAt(disk, resolved, path, source, options);
  } finally {
    release(scopeRoot, resolved);
  }
}

function writeAt(
  disk: Disk,
  resolved: ResolvedEntry,
  path: VirtualPath,
  source: AsyncIterable<Uint8Array>,
  options: WriteOptions,
): Promise<Entry> {
  const work = async (temporary: string): Promise<Entry> => {
    const descriptor = await openNew(disk, at(resolved.folder, temporary));
    try {
      await copyOwnerAndMode(descriptor, fs.fstatSync(descriptor, { bigint: true }), resolved.stats);
      await receive(descriptor, source, { signal: options.signal });
      options.signal?.throwIfAborted();
      await disk.locks.run(lockKey(resolved.folder, resolved.name), () =>
        publish(disk, resolved, temporary, path, options),
      );
      return entryOf(nameOf(path), fs.fstatSync(descriptor, { bigint: true }), resolved.link !== null);
    } finally {
      fs.closeSync(descriptor);
    }
  };
  return withTemporary(disk, resolved.names.slice(0, -1), work, async (temporary) => {
    await ignoreErrno(syscalls.unlink(at(resolved.folder, temporary)), 'ENOENT');
  });
}
