import fs, { type BigIntStats } from 'node:fs';
import { nameOf, segmentsOf, type VirtualPath } from '@filestead/contract/virtual-path';
import { AppError, isAppError } from '../../http/app-error.ts';
import type { Entry, WriteOptions } from '../storage.ts';
import { calls, type RawPath, unless } from './calls.ts';
import { type Disk, lockKey, withStandIn, withTemporary } from './disk.ts';
import { entryOf } from './facts.ts';
import { at, openFlags } from './folder.ts';
import { leave, locate, type LocateOptions, type Spot } from './locate.ts';
import { defaultModes, openMode, setFileMode } from './modes.ts';
import { look, renameExclusively } from './publish.ts';
import { mustBeReachable } from './reachable.ts';
import { receive } from './receive.ts';
import { runAsync } from './steps.ts';
import { takeOver } from './take-over.ts';

/** Throws unless a file may be written where `current` is. */
export function mustFit(current: BigIntStats | null, mode: WriteOptions['mode']): void {
  if (current === null) {
    if (mode === 'replace') throw new AppError('not_found');
    return;
  }
  if (mode === 'create') throw new AppError('already_exists');
  if (current.isDirectory()) throw new AppError('is_folder');
  if (!current.isFile() && !current.isSymbolicLink()) throw new AppError('special_file');
}

/** Makes a file with the permission bits of new ones and opens it. */
export async function openNew({ area }: Disk, path: RawPath): Promise<number> {
  const modes = area.modes ?? defaultModes;
  const descriptor = await calls.open(path, openFlags.create, openMode(modes));
  try {
    await setFileMode(descriptor, modes);
    return descriptor;
  } catch (error) {
    fs.closeSync(descriptor);
    throw error;
  }
}

/** Gives the finished file its name, after asking once more. */
export async function publish(
  disk: Disk,
  spot: Spot,
  temporary: string,
  path: VirtualPath,
  options: Pick<WriteOptions, 'mode' | 'confirm' | 'beforePublish'>,
): Promise<void> {
  await options.beforePublish?.();
  await mustBeReachable(spot.folder);
  for (;;) {
    const current = await look(spot.folder, spot.name);
    mustFit(current, options.mode);
    options.confirm?.(current && entryOf(nameOf(path), current, spot.link !== null));
    if (current !== null) {
      await calls.rename(at(spot.folder, temporary), at(spot.folder, spot.name));
      return;
    }
    try {
      const above = spot.names.slice(0, -1);
      const duringStandIn = withStandIn(
        disk,
        { names: above, name: spot.name },
        { names: above, name: temporary },
      );
      await renameExclusively(spot.folder, temporary, spot.folder, spot.name, duringStandIn);
      return;
    } catch (error) {
      if (options.mode === 'create' || !isAppError(error, 'already_exists')) throw error;
      // Somebody else was first: look at what is there now and ask again.
    }
  }
}

/** `Storage.write` on a disk: the bytes go to a temporary name beside the target and get its name when they are flushed. */
export async function writeFile(
  disk: Disk,
  path: VirtualPath,
  source: AsyncIterable<Uint8Array>,
  options: WriteOptions,
): Promise<Entry> {
  const { area } = disk;
  const { mode, signal } = options;
  signal?.throwIfAborted();
  const findSpot = (createParents: LocateOptions['createParents']): Promise<Spot> =>
    runAsync(
      locate(area, segmentsOf(path), {
        leaf: mode === 'create' ? 'keep' : 'follow',
        forWriting: true,
        createParents,
      }),
    );
  const check = ({ name, stats, link }: Spot): void => {
    if (name === '') throw new AppError(mode === 'create' ? 'already_exists' : 'is_folder');
    mustFit(stats, mode);
    options.confirm?.(stats && entryOf(nameOf(path), stats, link !== null));
  };
  let spot = await findSpot(options.createParents === true ? 'later' : false);
  try {
    check(spot);
    await options.beforeChange?.();
    if (spot.lacksParents) {
      const made = await findSpot(true);
      leave(area, spot);
      spot = made;
      check(spot);
    }
    return await writeAt(disk, spot, path, source, options);
  } finally {
    leave(area, spot);
  }
}

function writeAt(
  disk: Disk,
  spot: Spot,
  path: VirtualPath,
  source: AsyncIterable<Uint8Array>,
  options: WriteOptions,
): Promise<Entry> {
  const work = async (temporary: string): Promise<Entry> => {
    const descriptor = await openNew(disk, at(spot.folder, temporary));
    try {
      await takeOver(descriptor, fs.fstatSync(descriptor, { bigint: true }), spot.stats);
      await receive(descriptor, source, { signal: options.signal });
      options.signal?.throwIfAborted();
      await disk.locks.run(lockKey(spot.folder, spot.name), () =>
        publish(disk, spot, temporary, path, options),
      );
      return entryOf(nameOf(path), fs.fstatSync(descriptor, { bigint: true }), spot.link !== null);
    } finally {
      fs.closeSync(descriptor);
    }
  };
  return withTemporary(disk, spot.names.slice(0, -1), work, async (temporary) => {
    await unless(calls.unlink(at(spot.folder, temporary)), 'ENOENT');
  });
}
