import fs from 'node:fs';
import { nameOf, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError, isAppError } from '../../../errors.ts';
import type { KeepOptions } from '../../kept/kept-entries.ts';
import type {
  Entry,
  PartialAppend,
  PartialCreation,
  PartialFile,
  PartialOptions,
  WriteOptions,
} from '../../storage.ts';
import { ignoreErrno, isErrno, type RawPath, syscalls } from '../paths/syscalls.ts';
import { type Disk, lockKey, placeOf } from '../disk.ts';
import { entryOf } from '../paths/metadata.ts';
import { at } from '../paths/folder.ts';
import { removeTemporaryTree } from '../trees/with-tree.ts';
import { release, locate, type LocateOptions, type ResolvedEntry } from '../paths/locate.ts';
import { receive } from './receive.ts';
import { runAsync } from '../paths/steps.ts';
import { isTemporaryName } from '../paths/temporary-names.ts';
import { copyOwnerAndMode } from './copy-owner-and-mode.ts';
import { assertWritable, openNew } from './new-file.ts';
import { flushWithRecord, publish } from './write-file.ts';

/** Bytes per read when an unfinished file is moved to another file system. */
const pieceBytes = 1024 * 1024;

const noFollow = fs.constants.O_NOFOLLOW ?? 0;
/** Flags for reopening an unfinished file. It is measured and read also on a disk that has become read-only. */
const reopenFlags = { reading: fs.constants.O_RDONLY | noFollow, writing: fs.constants.O_RDWR | noFollow };

/** The unfinished file `name` beside `path` on a disk. Every call resolves its folder again. */
export class DiskPartialFile implements PartialFile {
  readonly #disk: Disk;
  readonly #path: VirtualPath;
  readonly #options: PartialOptions;

  /** Throws `forbidden` for a name that is not a temporary name. */
  constructor(disk: Disk, path: VirtualPath, options: PartialOptions) {
    if (!isTemporaryName(options.name)) throw new AppError('forbidden');
    this.#disk = disk;
    this.#path = path;
    this.#options = options;
  }

  async create({ createParents, confirm, onParent }: PartialCreation): Promise<void> {
    // Check the target first, so that no parent is created for a refused file.
    await this.#withTarget(createParents === true ? 'later' : false, async (resolved) =>
      this.#assertTarget(resolved, confirm),
    );
    await this.#withTarget(
      createParents,
      async (resolved) => {
        this.#assertTarget(resolved, confirm);
        fs.closeSync(await runAsync(openNew(this.#disk.scopeRoot, at(resolved.folder, this.#options.name))));
      },
      onParent,
    );
  }

  async size(): Promise<number | null> {
    try {
      return await this.#withOpenFile(
        'reading',
        async (_resolved, descriptor) => fs.fstatSync(descriptor).size,
      );
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
  }

  read(start: number, end: number): Promise<Uint8Array> {
    return this.#withOpenFile('reading', async (_resolved, descriptor) => {
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(end, fs.fstatSync(descriptor).size) - start));
      let length = 0;
      while (length < bytes.length) {
        const { bytesRead } = await syscalls.read(
          descriptor,
          bytes,
          length,
          bytes.length - length,
          start + length,
        );
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      return bytes.subarray(0, length);
    });
  }

  append(
    source: AsyncIterable<Uint8Array>,
    { from, signal, onStored, isLast = false }: PartialAppend,
  ): Promise<void> {
    return this.#withOpenFile('writing', async (_resolved, descriptor) => {
      if (fs.fstatSync(descriptor).size < from) throw new AppError('not_found');
      await syscalls.ftruncate(descriptor, from);
      const flushesEnd = !isLast;
      await receive(descriptor, source, { position: from, keepsPart: true, flushesEnd, signal, onStored });
    });
  }

  publish(
    size: number,
    options: Pick<WriteOptions, 'confirm' | 'beforeChange' | 'beforePublish' | keyof KeepOptions>,
  ): Promise<Entry> {
    const { name, mode } = this.#options;
    return this.#withOpenFile('writing', async (resolved, descriptor) => {
      // Flushed also for a file that cannot be published now, which the caller keeps.
      await flushWithRecord(this.#disk, resolved, descriptor, options, async () => {
        this.#assertTarget(resolved, options.confirm);
        await options.beforeChange?.();
        const stats = fs.fstatSync(descriptor, { bigint: true });
        if (stats.size < size) throw new AppError('not_found');
        await runAsync(copyOwnerAndMode(descriptor, stats, resolved.stats));
        if (stats.size > size) {
          await syscalls.ftruncate(descriptor, size);
          await syscalls.fdatasync(descriptor);
        }
        await this.#disk.locks.run(lockKey(resolved.folder, resolved.name), () =>
          publish(this.#disk, resolved, name, this.#path, { ...options, mode }),
        );
      });
      return entryOf(nameOf(this.#path), fs.fstatSync(descriptor, { bigint: true }), resolved.link !== null);
    });
  }

  async moveTo(path: VirtualPath): Promise<void> {
    const { name } = this.#options;
    await this.#withOpenFile('writing', async (from, descriptor) => {
      const target = new DiskPartialFile(this.#disk, path, this.#options);
      await target.#withTarget('later', async (to) => target.#assertTarget(to, undefined));
      await target.#withTarget(true, async (to) => {
        target.#assertTarget(to, undefined);
        try {
          await syscalls.rename(at(from.folder, name), at(to.folder, name));
        } catch (error) {
          if (!isErrno(error, 'EXDEV')) throw error;
          await copyAcross(this.#disk, descriptor, at(to.folder, name));
          await ignoreErrno(syscalls.unlink(at(from.folder, name)), 'ENOENT');
        }
      });
    });
  }

  async discard(): Promise<void> {
    try {
      await this.#withTarget(false, async ({ folder }) => {
        await removeTemporaryTree(this.#disk.scopeRoot, folder, this.#options.name);
      });
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  #assertTarget({ name, stats, link }: ResolvedEntry, confirm: WriteOptions['confirm']): void {
    const { mode } = this.#options;
    if (name === '') throw new AppError(mode === 'create' ? 'already_exists' : 'is_folder');
    assertWritable(stats, mode);
    confirm?.(stats && entryOf(nameOf(this.#path), stats, link !== null));
  }

  async #withTarget<T>(
    createParents: LocateOptions['createParents'],
    work: (resolved: ResolvedEntry) => Promise<T>,
    onParent?: KeepOptions['onParent'],
  ): Promise<T> {
    const { scopeRoot } = this.#disk;
    const onCreated = (names: readonly string[]): void => onParent?.(placeOf(this.#disk, names));
    const leaf = this.#options.mode === 'create' ? 'keep' : 'follow';
    const resolved = await runAsync(
      locate(scopeRoot, segmentsOf(this.#path), { leaf, forWriting: true, createParents, onCreated }),
    );
    try {
      return await work(resolved);
    } finally {
      release(scopeRoot, resolved);
    }
  }

  #withOpenFile<T>(
    purpose: keyof typeof reopenFlags,
    work: (resolved: ResolvedEntry, descriptor: number) => Promise<T>,
  ): Promise<T> {
    return this.#withTarget(false, async (resolved) => {
      const descriptor = await syscalls.open(at(resolved.folder, this.#options.name), reopenFlags[purpose]);
      try {
        if (!fs.fstatSync(descriptor).isFile()) throw new AppError('not_found');
        return await work(resolved, descriptor);
      } finally {
        fs.closeSync(descriptor);
      }
    });
  }
}

/** Reads an open file from its beginning, in chunks that are not reused. */
async function* bytesFrom(descriptor: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; ;) {
    const piece = Buffer.allocUnsafe(pieceBytes);
    const { bytesRead } = await syscalls.read(descriptor, piece, 0, piece.length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}

/** Copies an open unfinished file to another file system; a failed copy is removed. */
async function copyAcross(disk: Disk, descriptor: number, path: RawPath): Promise<void> {
  const copy = await runAsync(openNew(disk.scopeRoot, path));
  try {
    await receive(copy, bytesFrom(descriptor));
  } catch (error) {
    await ignoreErrno(syscalls.unlink(path), 'ENOENT');
    throw error;
  } finally {
    fs.closeSync(copy);
  }
}

/** Whether `error` means that the unfinished file no longer exists. */
const isGone = (error: unknown): boolean =>
  isAppError(error, 'not_found', 'not_a_folder', 'external_link') || isErrno(error, 'ENOENT');
