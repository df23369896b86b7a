import { AppError, isAppError } from '../../../errors.ts';
import type { KeepOptions, MergedEntry } from '../../kept/kept-entries.ts';
import { syscalls, isErrno, ignoreErrno } from '../paths/syscalls.ts';
import { runAsync } from '../paths/steps.ts';
import {
  type CopiedEntries,
  type EntryPlace,
  isEqualFile,
  isFolderCreatedAfter,
  isUnchangedCopy,
} from './copied-entries.ts';
import { copyFile, isVanished } from './copy-file.ts';
import { type Disk, lockKey, placeOf, withTemporaryFile } from '../disk.ts';
import { displace } from '../kept/displace.ts';
import { isExcluded } from '../paths/exclusions.ts';
import { at, closeFolder, type Folder, identityOf, openFolder } from '../paths/folder.ts';
import { copiedBits, defaultModes, setFolderBits } from '../paths/modes.ts';
import type { FileInFolder } from '../open-file.ts';
import type { Progress } from '../trees/progress.ts';
import { flushFolder, lstatOrNull } from '../paths/publish.ts';
import { assertReachable } from '../paths/reachable.ts';
import type { RawEntry } from '../read-folder.ts';
import { traverse, type TreeEvent, type TreeFolder } from '../trees/traverse.ts';

/** The number of files that are copied in parallel; flushing them one by one would take most of the time. */
const parallelFiles = 8;

/** Options of {@link copyTree}. */
export interface CopyTree {
  /** The open folder that receives the contents of `top`. */
  readonly target: Folder;
  readonly targetNames: readonly string[];
  /** The target is visible: each file appears complete under its name, and existing folders are kept. */
  readonly isMerge: boolean;
  /** An earlier copy into the target was interrupted: its folders are entered again, and finished copies of files are kept. */
  readonly isResumed?: boolean;
  /** The earlier copy was completed and is visible: finished copies are recorded in `copied`, and the target stays as it is. */
  readonly isPublished?: boolean;
  /**
   * For moves between file systems: links are recreated instead of followed, an entry that cannot be copied is an error, and
   * each copied entry is recorded here with its state.
   */
  readonly copied?: CopiedEntries;
  /** The options of keeping files that a merge replaces. */
  readonly keep?: KeepOptions;
  readonly progress: Progress;
}

/** An open folder of the copy, and whether it is new. */
interface CopiedFolder {
  readonly folder: Folder;
  readonly names: readonly string[];
  readonly isNew: boolean;
}

/** The copy of one tree in progress. Keeps the folders of the copy open, from the top to the current one. */
class TreeCopy {
  readonly #disk: Disk;
  readonly #options: CopyTree;
  readonly #openFolders: CopiedFolder[];

  constructor(disk: Disk, options: CopyTree) {
    this.#disk = disk;
    this.#options = options;
    this.#openFolders = [{ folder: options.target, names: options.targetNames, isNew: !options.isMerge }];
  }

  release(): void {
    for (const { folder } of this.#openFolders.splice(1)) closeFolder(folder);
  }

  async handle(event: TreeEvent): Promise<void> {
    if (event.kind === 'enter') return event.parent === null ? undefined : this.#enterFolder(event.at);
    if (event.kind === 'exit') return this.#exitFolder(event.at);
    if (event.kind === 'linked') return this.#file(event.at, event.target, event.name);
    for (let first = 0; first < event.entries.length; first += parallelFiles) {
      const batch = event.entries.slice(first, first + parallelFiles);
      const results = await Promise.allSettled(batch.map((entry) => this.#entry(event.at, entry)));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    }
  }

  get #current(): CopiedFolder {
    const current = this.#openFolders.at(-1);
    if (current === undefined) throw new Error('the copy has been released');
    return current;
  }

  /** Reports an entry in a folder that existed before. */
  #report(act: MergedEntry['act'], names: readonly string[]): void {
    if (this.#current.isNew) return;
    this.#options.keep?.onMerged?.({ act, path: placeOf(this.#disk, names), from: null });
  }

  async #enterFolder({ name, relative }: TreeFolder): Promise<void> {
    const { folder: parent, names } = this.#current;
    const path = at(parent, name);
    const isNew = await ignoreErrno(
      syscalls.mkdir(path, 0o700).then(() => true),
      ...(this.#options.isMerge || this.#options.isResumed === true ? ['EEXIST'] : []),
    );
    const folder = await openFolder(this.#disk.scopeRoot.confinement, path).async();
    const isOwn = isNew === true || !this.#options.isMerge;
    this.#report(isOwn ? 'created' : 'merged', [...names, relative.at(-1) ?? '']);
    this.#openFolders.push({ folder, names: [...names, relative.at(-1) ?? ''], isNew: isOwn });
    this.#options.copied?.addFolder({ relative: relative.slice(0, -1), name });
    this.#options.progress.add(1, 0);
  }

  async #exitFolder({ folder: source }: TreeFolder): Promise<void> {
    const { folder, isNew } = this.#current;
    if (isNew && this.#options.isPublished !== true) {
      const stats = await lstatOrNull(source, '.');
      if (stats !== null) {
        const modes = this.#disk.scopeRoot.modes ?? defaultModes;
        const isMove = this.#options.copied !== undefined;
        await setFolderBits(folder, copiedBits(stats, modes, { isFolder: true, isMove }));
        await syscalls.utimes(at(folder, '.'), Number(stats.atimeNs) / 1e9, Number(stats.mtimeNs) / 1e9);
      }
      // The source of a move is removed afterwards.
      if (this.#options.copied !== undefined) await flushFolder(folder);
    }
    if (this.#openFolders.length > 1) closeFolder(this.#openFolders.pop()?.folder ?? folder);
  }

  async #entry(parent: TreeFolder, { name, type }: RawEntry): Promise<void> {
    const { folder } = parent;
    if (type === 'link') return this.#link(parent, name);
    const stats = await lstatOrNull(folder, name);
    if (stats === null || isExcluded(this.#disk.scopeRoot.exclusions, identityOf(stats))) return;
    // Entries that are created during a move are copied afterwards; otherwise a program that never stops writing would keep the walk going.
    if (this.#options.copied?.isLate(stats) === true) return;
    if (stats.isFile()) return this.#file(parent, { folder, name, stats }, name);
    if (this.#options.copied !== undefined) throw new AppError('special_file');
  }

  /** Recreates a link with the same target text. Only moves get links here. */
  async #link({ folder, relative }: TreeFolder, name: string): Promise<void> {
    const { folder: target } = this.#current;
    const { copied } = this.#options;
    if (copied === undefined) return;
    const stats = await lstatOrNull(folder, name);
    if (stats?.isSymbolicLink() !== true) return;
    const text = await ignoreErrno(
      syscalls.readlink(at(folder, name), { encoding: 'buffer' }),
      'ENOENT',
      'EINVAL',
    );
    if (text === undefined) return;
    if (this.#options.isPublished === true) {
      const existing = await ignoreErrno(
        syscalls.readlink(at(target, name), { encoding: 'buffer' }),
        'ENOENT',
        'EINVAL',
      );
      if (existing?.equals(text) === true) copied.addSource({ relative, name }, stats);
      return;
    }
    if (this.#options.isResumed === true) await ignoreErrno(syscalls.unlink(at(target, name)), 'ENOENT');
    await syscalls.symlink(text, at(target, name));
    copied.addSource({ relative, name }, stats);
    const copy = await lstatOrNull(target, name);
    if (copy !== null) copied.addTarget({ relative, name }, copy, { wasRenamed: false });
    this.#options.progress.add(1, 0);
  }

  /** Whether an interrupted copy has finished this file. An unfinished file of it is removed. */
  async #isFinished({ stats }: FileInFolder, position: EntryPlace): Promise<boolean> {
    const { folder: target } = this.#current;
    const { isMerge, isPublished = false, progress, copied } = this.#options;
    const { name } = position;
    const existing = await lstatOrNull(target, name);
    if (existing === null || stats === null) return false;
    const isCopy = copied === undefined ? isEqualFile : isUnchangedCopy;
    if (isCopy(stats, existing)) {
      copied?.addSource(position, stats);
      copied?.addTarget(position, existing, { wasRenamed: false });
      progress.add(1, Number(stats.size));
      return true;
    }
    if (!isMerge && !isPublished) await ignoreErrno(syscalls.unlink(at(target, name)), 'ENOENT');
    return false;
  }

  async #file({ relative }: TreeFolder, from: FileInFolder, name: string): Promise<void> {
    const { folder: target, names } = this.#current;
    const { scopeRoot } = this.#disk;
    const { progress, isMerge, isResumed, isPublished, copied } = this.#options;
    try {
      if (isResumed === true && ((await this.#isFinished(from, { relative, name })) || isPublished === true))
        return;
      if (!isMerge) {
        const isMove = copied !== undefined;
        const { source, copy } = await copyFile(scopeRoot, from, target, name, progress, { isMove });
        if (source !== null) copied?.addSource({ relative, name }, source);
        copied?.addTarget({ relative, name }, copy, { wasRenamed: false });
        return;
      }
      await withTemporaryFile(this.#disk, { folder: target, names }, async (temporary) => {
        await copyFile(scopeRoot, from, target, temporary, progress, {
          replaces: await lstatOrNull(target, name),
        });
        await runAsync(assertReachable(target));
        await this.#disk.locks.run(lockKey(target, name), () =>
          displace(this.#disk, { folder: target, names, name }, this.#options.keep ?? {}, () =>
            syscalls.rename(at(target, temporary), at(target, name)),
          ),
        );
        this.#report('created', [...names, name]);
      });
    } catch (error) {
      // A file that vanished is handled by the removal at the end of a move; a move fails for an entry that is no longer a file.
      const codes = ['special_file', 'external_link', 'not_found', 'is_folder'] as const;
      const isGone =
        copied === undefined
          ? isVanished(error) || isAppError(error, ...codes)
          : isErrno(error, 'ENOENT') || isAppError(error, 'not_found');
      if (!isGone) throw error;
    }
  }
}

/** Copies everything below the open folder `top` into the open folder `options.target`. */
export async function copyTree(disk: Disk, top: TreeFolder, options: CopyTree): Promise<void> {
  const copy = new TreeCopy(disk, options);
  const { signal } = options.progress;
  const { copied } = options;
  const walk = traverse(disk.scopeRoot, top, {
    signal,
    followLinks: copied === undefined,
    avoid: options.target,
    includesReserved: copied !== undefined,
    skip: copied && ((folder) => isFolderCreatedAfter(copied.startedAt, folder)),
  });
  try {
    for await (const event of walk) await copy.handle(event);
  } finally {
    copy.release();
  }
}
