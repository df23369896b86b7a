import { parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError, isAppError } from '../../errors.ts';
import { isTemporaryName, newTemporaryName } from '../disk/paths/temporary-names.ts';
import type { KeepOptions } from '../kept/kept-entries.ts';
import { noBytes } from '../no-bytes.ts';
import { readFully } from '../read-fully.ts';
import type { Entry, PartialFile, PartialOptions, WriteOptions } from '../storage.ts';
import { untilAborted } from '../until-aborted.ts';
import { type CheckedTree, childPath, type Displace } from './checked-tree.ts';

/** The backend's path of the unpublished file `name` beside `path`. */
const stagedBeside = (tree: CheckedTree, path: VirtualPath, name: string): VirtualPath =>
  childPath(parentOf(tree.absolute(path)), name);

/** Removes the file at the backend's path `path`. A missing one is fine. */
export async function removeIfExists({ backend }: CheckedTree, path: VirtualPath): Promise<void> {
  try {
    await backend.remove(path);
  } catch (error) {
    if (!isAppError(error, 'not_found', 'not_a_folder')) throw error;
  }
}

/** Calls `work` with the backend's path of a new unpublished file beside `path`, and removes the file when `work` fails. */
export async function withStaged<T>(
  tree: CheckedTree,
  path: VirtualPath,
  work: (staged: VirtualPath) => Promise<T>,
): Promise<T> {
  const staged = stagedBeside(tree, path, newTemporaryName());
  try {
    return await work(staged);
  } catch (error) {
    // The first error is the one to report.
    await removeIfExists(tree, staged).catch(() => undefined);
    throw error;
  }
}

/** `Storage.write`: the bytes go to a temporary name, which is renamed once the file is complete. */
export async function writeFile(
  tree: CheckedTree,
  path: VirtualPath,
  source: AsyncIterable<Uint8Array>,
  options: WriteOptions & { readonly displace?: Displace | undefined },
): Promise<Entry> {
  const { signal, createParents } = options;
  signal?.throwIfAborted();
  await tree.assertParents(path, createParents);
  await tree.assertWritable(path, options);
  await options.beforeChange?.();
  await tree.createParents(path, createParents, options.onParent);
  return withStaged(tree, path, async (staged) => {
    await tree.backend.write(staged, untilAborted(source, signal), 0);
    signal?.throwIfAborted();
    const { modifiedNs } = options;
    if (modifiedNs !== undefined) await tree.backend.setMetadata(staged, { modifiedNs });
    await options.beforePublish?.();
    return tree.publish(staged, path, options);
  });
}

/** Passes the chunks of `source` on, and reports the size of the file after each one is stored. */
async function* reporting(
  source: AsyncIterable<Uint8Array>,
  from: number,
  onStored: ((size: number) => void) | undefined,
): AsyncGenerator<Uint8Array> {
  let size = from;
  for await (const chunk of source) {
    yield chunk;
    size += chunk.byteLength;
    onStored?.(size);
  }
}

/** `Storage.partial`: appends to the temporary name that the caller keeps. */
export function openPartial(
  tree: CheckedTree,
  path: VirtualPath,
  { name, mode }: PartialOptions,
  displacerFor: (options: KeepOptions) => Displace | undefined,
): PartialFile {
  if (!isTemporaryName(name)) throw new AppError('forbidden');
  const { backend } = tree;
  const staged = stagedBeside(tree, path, name);
  /** The size of the partial file. Throws `not_found` when it is shorter than `size`. */
  const assertStored = async (size: number): Promise<number> => {
    await tree.assertParents(path, false);
    const entry = await backend.stat(staged);
    if (entry === null || entry.size < size) throw new AppError('not_found');
    return entry.size;
  };
  return {
    async create({ createParents, confirm, onParent }) {
      await tree.assertParents(path, createParents);
      await tree.assertWritable(path, { mode, confirm });
      await tree.createParents(path, createParents, onParent);
      await backend.write(staged, noBytes(), 0);
    },
    async size() {
      try {
        return await assertStored(0);
      } catch (error) {
        if (isAppError(error, 'not_found', 'not_a_folder')) return null;
        throw error;
      }
    },
    async read(start, end) {
      await assertStored(0);
      const file = await backend.openFile(staged);
      try {
        const bytes = Buffer.alloc(Math.max(0, Math.min(end, file.entry.size) - start));
        return bytes.subarray(0, await readFully(file, bytes, start));
      } finally {
        await file.close();
      }
    },
    async append(source, { from, signal, onStored }) {
      await assertStored(from);
      await backend.write(staged, reporting(untilAborted(source, signal), from, onStored), from);
    },
    async publish(size, { confirm, beforeChange, beforePublish, ...keep }) {
      await assertStored(0);
      await tree.assertWritable(path, { mode, confirm });
      await beforeChange?.();
      await beforePublish?.();
      if ((await assertStored(size)) > size) await backend.write(staged, noBytes(), size);
      return tree.publish(staged, path, { mode, confirm, displace: displacerFor(keep) });
    },
    async moveTo(target) {
      await assertStored(0);
      await tree.assertParents(target, true);
      await tree.assertWritable(target, { mode });
      await tree.createParents(target, true);
      await backend.renameFile(staged, stagedBeside(tree, target, name), { replace: false });
    },
    discard: () => removeIfExists(tree, staged),
  };
}
