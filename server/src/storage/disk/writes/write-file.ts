import fs from 'node:fs';
import { nameOf, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError, isAppError } from '../../../errors.ts';
import type { KeepOptions } from '../../kept/kept-entries.ts';
import type { Entry, WriteOptions } from '../../storage.ts';
import { syscalls, ignoreErrno } from '../paths/syscalls.ts';
import {
  type Disk,
  endTemporary,
  lockKey,
  placeholderRunner,
  type PublishTarget,
  withTemporaryFile,
  placeOf,
} from '../disk.ts';
import { announceReplacement } from '../kept/announce-replacement.ts';
import { displace } from '../kept/displace.ts';
import { entryOf, type Metadata } from '../paths/metadata.ts';
import { at } from '../paths/folder.ts';
import { release, locate, type LocateOptions, type ResolvedEntry } from '../paths/locate.ts';
import { lstatOrNull, renameExclusively } from '../paths/publish.ts';
import { assertReachable } from '../paths/reachable.ts';
import { receive } from './receive.ts';
import { runAsync } from '../paths/steps.ts';
import { copyOwnerAndMode } from './copy-owner-and-mode.ts';
import { assertWritable, openNew } from './new-file.ts';
import { unsuitable } from '../ring/read-through-ring.ts';
import { maxContentBytes } from '../ring/ring-layout.ts';
import {
  findTargetByRing,
  publishByRing,
  type NamedFile,
  storeByRing,
  type StoredFile,
} from '../ring/write-through-ring.ts';
import { SmallBody } from './small-body.ts';

/**
 * Renames the finished file to its final name, after repeating all checks. An existing file is replaced here and nowhere else.
 */
export async function publish(
  disk: Disk,
  resolved: PublishTarget,
  temporary: string,
  path: VirtualPath,
  options: Pick<WriteOptions, 'mode' | 'confirm' | 'beforePublish' | keyof KeepOptions>,
): Promise<void> {
  await options.beforePublish?.();
  const above = resolved.names.slice(0, -1);
  const check = (current: Metadata | null): void => {
    assertWritable(current, options.mode);
    options.confirm?.(current && entryOf(nameOf(path), current, resolved.link !== null));
  };
  if (resolved.stats === null) {
    check(null);
    if (await publishByRing(disk, resolved, temporary)) return;
  }
  await runAsync(assertReachable(resolved.folder));
  for (;;) {
    const current = await lstatOrNull(resolved.folder, resolved.name);
    check(current);
    if (current !== null) {
      await displace(disk, { folder: resolved.folder, names: above, name: resolved.name }, options, () =>
        syscalls.rename(at(resolved.folder, temporary), at(resolved.folder, resolved.name)),
      );
      return;
    }
    try {
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

/** Flushes new content together with the record of the file that it replaces, and then calls `replace`. */
export async function flushWithRecord(
  disk: Disk,
  { names, stats }: PublishTarget,
  descriptor: number,
  options: KeepOptions,
  replace: () => Promise<void>,
): Promise<void> {
  const record = announceReplacement(disk, names, stats, options);
  try {
    await syscalls.fdatasync(descriptor);
    await record.written;
    await replace();
  } finally {
    await record.written;
    record.end();
  }
}

/**
 * `Storage.write` on a disk: the bytes are written to a temporary file beside the target, which is renamed once it is flushed.
 * A small file is read first and then stored in one step, as a new file if no entry has its name; its checks come with
 * that step, and `beforeChange` before the name is given.
 */
export async function writeFile(
  disk: Disk,
  path: VirtualPath,
  source: AsyncIterable<Uint8Array>,
  options: WriteOptions,
): Promise<Entry> {
  options.signal?.throwIfAborted();
  const { announcedBytes = Infinity, modifiedNs } = options;
  if (announcedBytes > maxContentBytes || modifiedNs !== undefined)
    return writeStream(disk, path, source, options);
  const body = await SmallBody.read(source, maxContentBytes, options.signal);
  try {
    options.signal?.throwIfAborted();
    if (!body.isWhole) return await writeStream(disk, path, body.all(), options);
    const { mode } = options;
    const pieces = body.pieces;
    const created = mode === 'replace' ? null : await storeNew(disk, path, pieces, options);
    if (created !== null) {
      const beforeChange = async (): Promise<void> => {
        options.confirm?.(null);
        await options.beforeChange?.();
      };
      // Not a spread, for the reason in docs/decisions/0045-objects-of-a-request.md.
      return await publishStored(disk, path, created, Object.assign({}, options, { beforeChange }));
    }
    const current = await findTargetByRing(disk, path);
    if (current === unsuitable || current === null) return await writeStream(disk, path, body.all(), options);
    assertWritable(current, mode);
    options.confirm?.(entryOf(nameOf(path), current, false));
    await options.beforeChange?.();
    const announced = Object.assign({}, options, { beforeChange: undefined });
    const record = announceReplacement(disk, segmentsOf(path), current, options);
    try {
      const stored = await storeByRing(disk, { path, body: pieces, mode, current });
      await record.written;
      if (stored === null) return await writeStream(disk, path, body.all(), announced);
      return await publishStored(disk, path, stored, announced);
    } finally {
      await record.written;
      record.end();
    }
  } finally {
    await body.close();
  }
}

/**
 * Stores a new small file, and gives it its name in the same step if the caller allows it and flushes are fast: with slow ones too
 * much time would pass between the check of the permissions and the name.
 */
async function storeNew(
  disk: Disk,
  path: VirtualPath,
  body: readonly Uint8Array[],
  options: WriteOptions,
): Promise<StoredFile | NamedFile | null> {
  const { mode } = options;
  const isNamedAtOnce =
    options.isNamedAtOnce === true && disk.rings?.flushes.isFast === true && maySave(options);
  if (isNamedAtOnce) {
    await options.beforeChange?.();
    await options.beforePublish?.();
  }
  return storeByRing(disk, { path, body, mode, current: null, isNamedAtOnce });
}

/** Whether a new file would be confirmed. It is not known yet whether the file is new. */
function maySave({ confirm }: WriteOptions): boolean {
  try {
    confirm?.(null);
    return true;
  } catch {
    return false;
  }
}

/** Publishes a file that was stored in one step and has no name yet, or removes it when that fails. */
async function publishStored(
  disk: Disk,
  path: VirtualPath,
  stored: StoredFile | NamedFile,
  options: WriteOptions,
): Promise<Entry> {
  const { metadata } = stored;
  if (stored.isNamed) return entryOf(nameOf(path), metadata, false);
  const { target, temporary, place } = stored;
  const { folder, name } = target;
  const work = async (): Promise<Entry> => {
    options.signal?.throwIfAborted();
    await options.beforeChange?.();
    await disk.locks.run(lockKey(folder, name), () => publish(disk, target, temporary, path, options));
    return entryOf(nameOf(path), metadata, false);
  };
  const discard = async (): Promise<void> => {
    await ignoreErrno(syscalls.unlink(at(folder, temporary)), 'ENOENT');
  };
  try {
    return await endTemporary(disk, place, work, discard);
  } finally {
    release(disk.scopeRoot, target);
  }
}

/** {@link writeFile} for content of any length. */
async function writeStream(
  disk: Disk,
  path: VirtualPath,
  source: AsyncIterable<Uint8Array>,
  options: WriteOptions,
): Promise<Entry> {
  const { scopeRoot } = disk;
  const { mode } = options;
  const resolveTarget = (createParents: LocateOptions['createParents']): Promise<ResolvedEntry> =>
    runAsync(
      locate(scopeRoot, segmentsOf(path), {
        leaf: mode === 'create' ? 'keep' : 'follow',
        forWriting: true,
        createParents,
        onCreated: (names) => options.onParent?.(placeOf(disk, names)),
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
    const descriptor = await runAsync(openNew(disk.scopeRoot, at(resolved.folder, temporary)));
    try {
      const stats = fs.fstatSync(descriptor, { bigint: true });
      await runAsync(copyOwnerAndMode(descriptor, stats, resolved.stats));
      await receive(descriptor, source, { signal: options.signal, flushesEnd: false });
      if (options.modifiedNs !== undefined) {
        const seconds = Number(options.modifiedNs) / 1e9;
        await syscalls.futimes(descriptor, seconds, seconds);
      }
      await flushWithRecord(disk, resolved, descriptor, options, async () => {
        options.signal?.throwIfAborted();
        await disk.locks.run(lockKey(resolved.folder, resolved.name), () =>
          publish(disk, resolved, temporary, path, options),
        );
      });
      return entryOf(nameOf(path), fs.fstatSync(descriptor, { bigint: true }), resolved.link !== null);
    } finally {
      fs.closeSync(descriptor);
    }
  };
  return withTemporaryFile(disk, { folder: resolved.folder, names: resolved.names.slice(0, -1) }, work);
}
