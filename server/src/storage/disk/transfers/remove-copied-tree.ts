import type { BigIntStats } from 'node:fs';
import { AppError, isAppError } from '../../../errors.ts';
import { syscalls, ignoreErrno } from '../paths/syscalls.ts';
import {
  type CopiedEntries,
  type EntryPlace,
  isChangedAfter,
  isFolderCreatedAfter,
} from './copied-entries.ts';
import { copyFile, isVanished } from './copy-file.ts';
import { type Disk, placeholderRunner, withTemporaryFile } from '../disk.ts';
import { isExcluded } from '../paths/exclusions.ts';
import {
  at,
  closeFolder,
  type Folder,
  type Identity,
  identityOf,
  isSame,
  openFolder,
} from '../paths/folder.ts';
import { setFolderBits } from '../paths/modes.ts';
import { isOtherMount } from '../paths/mounts.ts';
import { Progress } from '../trees/progress.ts';
import { flushFolder, lstatOrNull, renameExclusively } from '../paths/publish.ts';
import { traverse, type TreeEvent, type TreeFolder } from '../trees/traverse.ts';

/** A pass ends after this number of entries that are newer than the pass: a program creates them faster than they can be copied. */
const maxNewer = 1_000;

/** The number of entries that are checked and removed in parallel. */
const parallelEntries = 8;

/** The copy of the tree. */
export interface CopiedTreeTarget {
  /** The folder that contains it. */
  readonly folder: Folder;
  readonly name: string;
  /** Its real path. */
  readonly names: readonly string[];
  /** The identity of the folder that was created; nothing is copied into another folder that has its name by now. */
  readonly made: Identity | null;
}

/** A folder of the source between the top and the current one, and its counterpart in the target, opened on demand. */
interface Level {
  readonly at: TreeFolder;
  /** Undefined until it is needed; null when there is none, so that nothing can be copied there. */
  target: Folder | null | undefined;
  /** The target has changed since it was flushed. */
  isDirty: boolean;
}

/**
 * Removes a tree whose entries were copied, and only entries that the target has: an entry that has not changed since it was
 * copied is removed; a changed one is copied, and removed by a later pass. Other entries are kept.
 */
export class CopiedTreeRemover {
  readonly #disk: Disk;
  readonly #top: TreeFolder;
  readonly #target: CopiedTreeTarget;
  readonly #copied: CopiedEntries;
  readonly #progress = new Progress({});
  #levels: Level[] = [];
  #hasChanged = false;
  #waitMs = 0;
  #startedAt = 0;
  #newerCount = 0;

  constructor(
    disk: Disk,
    { top, target, copied }: { top: TreeFolder; target: CopiedTreeTarget; copied: CopiedEntries },
  ) {
    this.#disk = disk;
    this.#top = top;
    this.#target = target;
    this.#copied = copied;
  }

  /**
   * Walks the tree once. `hasChanged` is whether anything was removed or copied; `waitMs` is the time to wait before the
   * next pass, because of files that have just been changed.
   */
  async pass(): Promise<{ hasChanged: boolean; waitMs: number }> {
    this.#hasChanged = false;
    this.#waitMs = 0;
    this.#newerCount = 0;
    this.#startedAt = Date.now();
    const skip = async (folder: Folder): Promise<boolean> =>
      this.#deferIf(await isFolderCreatedAfter(this.#startedAt, folder));
    try {
      for await (const event of traverse(this.#disk.scopeRoot, this.#top, {
        includesReserved: true,
        skip,
      })) {
        await this.#handle(event);
        if (this.#newerCount > maxNewer) break;
      }
    } finally {
      for (const { target } of this.#levels.splice(0)) if (target) closeFolder(target);
    }
    return { hasChanged: this.#hasChanged, waitMs: this.#waitMs };
  }

  get #level(): Level {
    const level = this.#levels.at(-1);
    if (level === undefined) throw new Error('no folder is being removed');
    return level;
  }

  async #handle(event: TreeEvent): Promise<void> {
    if (event.kind === 'enter') {
      if (event.parent !== null && isOtherMount(event.parent.folder, event.at.folder))
        throw new AppError('holds_mount');
      this.#levels.push({ at: event.at, target: undefined, isDirty: false });
    } else if (event.kind === 'exit') {
      await this.#exitFolder(event.at, event.parent);
    } else if (event.kind === 'entries') {
      for (let first = 0; first < event.entries.length; first += parallelEntries) {
        const batch = event.entries.slice(first, first + parallelEntries);
        // The copies below are made sequentially, because the first one may have to create the counterpart folder.
        const late = await Promise.all(batch.map(({ name }) => this.#removeCopied(event.at, name)));
        for (const [index, stats] of late.entries()) {
          const entry = batch[index];
          if (stats !== null && entry !== undefined) await this.#copyLate(event.at, entry.name, stats);
        }
      }
    }
  }

  async #exitFolder({ name, relative }: TreeFolder, parent: TreeFolder | null): Promise<void> {
    const level = this.#level;
    const position = { relative: relative.slice(0, -1), name };
    if (parent !== null && !this.#copied.hasFolder(position) && (await this.#targetFolder()) !== null)
      this.#copied.addFolder(position);
    if (level.isDirty && level.target) await flushFolder(level.target);
    this.#levels.pop();
    if (level.target) closeFolder(level.target);
    if (parent === null || !this.#copied.hasFolder(position)) return;
    // The name of the new folder is in its parent, which is flushed before the source folder is removed.
    const above = this.#level;
    if (above.isDirty && above.target) await flushFolder(above.target);
    const removed = await ignoreErrno(
      syscalls.rmdir(at(parent.folder, name)).then(() => true),
      'ENOENT',
      'ENOTEMPTY',
      'EEXIST',
    );
    this.#hasChanged ||= removed === true;
  }

  /** Removes the entry when it is unchanged since it was copied. Returns its metadata when it has to be copied, otherwise null. */
  async #removeCopied({ folder, relative }: TreeFolder, name: string): Promise<BigIntStats | null> {
    const stats = await lstatOrNull(folder, name);
    if (stats === null || isExcluded(this.#disk.scopeRoot.exclusions, identityOf(stats))) return null;
    if (!this.#copied.hasSource({ relative, name }, stats))
      return this.#deferIf(isChangedAfter(this.#startedAt, stats)) ? null : stats;
    const waitMs = this.#copied.remainingWaitMs(stats);
    if (waitMs > 0) {
      this.#waitMs = Math.max(this.#waitMs, waitMs);
      return null;
    }
    await ignoreErrno(syscalls.unlink(at(folder, name)), 'ENOENT');
    this.#hasChanged = true;
    return null;
  }

  /** Defers an entry that was created or changed since the pass began to the next one. */
  #deferIf(isNewer: boolean): boolean {
    if (!isNewer) return false;
    this.#newerCount += 1;
    this.#waitMs = Math.max(this.#waitMs, 1);
    return true;
  }

  /** Copies an entry that is new or has changed, unless the target has another entry of the same name. */
  async #copyLate({ folder, relative }: TreeFolder, name: string, stats: BigIntStats): Promise<void> {
    if (!stats.isFile() && !stats.isSymbolicLink()) return;
    const target = await this.#targetFolder();
    if (target === null) return;
    const position = { relative, name };
    const existing = await lstatOrNull(target, name);
    if (existing !== null && !this.#copied.hasTarget(position, existing)) return;
    try {
      await this.#copyTo(target, { folder, name, stats }, position, existing !== null);
    } catch (error) {
      // It vanished, or another program created the name first: the next pass checks again.
      const isOver = isVanished(error) || isAppError(error, ...vanishedCodes);
      if (!isOver) throw error;
    }
  }

  async #copyTo(
    target: Folder,
    from: { readonly folder: Folder; readonly name: string; readonly stats: BigIntStats },
    position: EntryPlace,
    isReplacing: boolean,
  ): Promise<void> {
    const names = [...this.#target.names, ...position.relative];
    const { name } = position;
    await withTemporaryFile(this.#disk, { folder: target, names }, async (temporary) => {
      let source: BigIntStats | null = from.stats;
      if (from.stats.isSymbolicLink()) {
        const text = await syscalls.readlink(at(from.folder, name), { encoding: 'buffer' });
        await syscalls.symlink(text, at(target, temporary));
      } else {
        const { scopeRoot } = this.#disk;
        const options = { isMove: true };
        ({ source } = await copyFile(scopeRoot, from, target, temporary, this.#progress, options));
      }
      const runWithPlaceholder = placeholderRunner(this.#disk, { names, name }, { names, name: temporary });
      await (isReplacing
        ? syscalls.rename(at(target, temporary), at(target, name))
        : renameExclusively(target, temporary, target, name, runWithPlaceholder));
      this.#level.isDirty = true;
      const copy = await lstatOrNull(target, name);
      if (copy !== null) this.#copied.addTarget(position, copy, { wasRenamed: false });
      if (source !== null) this.#copied.addSource(position, source);
      this.#hasChanged = true;
    });
  }

  /** The counterpart of the current folder, created when it is missing; null when another entry has its name. */
  async #targetFolder(): Promise<Folder | null> {
    for (const [depth, level] of this.#levels.entries()) {
      if (level.target !== undefined) continue;
      const above = this.#levels[depth - 1];
      level.target = above === undefined ? await this.#openTop() : await this.#openBelow(above, level.at);
    }
    return this.#level.target ?? null;
  }

  async #openTop(): Promise<Folder | null> {
    const { folder, name, made } = this.#target;
    const top = await this.#open(folder, name);
    if (top === null || (made !== null && isSame(top, made))) return top;
    closeFolder(top);
    return null;
  }

  async #openBelow(above: Level, source: TreeFolder): Promise<Folder | null> {
    const parent = above.target ?? null;
    if (parent === null) return null;
    const isNew = await ignoreErrno(
      syscalls.mkdir(at(parent, source.name), 0o700).then(() => true),
      'EEXIST',
      'ENOENT',
    );
    if (isNew === true) above.isDirty = true;
    const folder = await this.#open(parent, source.name);
    if (folder === null || isNew !== true) return folder;
    const stats = await lstatOrNull(source.folder, '.');
    if (stats !== null) await setFolderBits(folder, Number(stats.mode & 0o2777n));
    return folder;
  }

  /** Opens the folder `name`; null when there is none. */
  async #open(parent: Folder, name: string): Promise<Folder | null> {
    const { confinement } = this.#disk.scopeRoot;
    const opened = await ignoreErrno(
      openFolder(confinement, at(parent, name)).async(),
      'ENOENT',
      'ENOTDIR',
      'ELOOP',
    );
    return opened ?? null;
  }
}

/** Error codes of a copy whose source or target no longer exists or was replaced. */
const vanishedCodes = ['already_exists', 'not_found', 'special_file', 'external_link', 'is_folder'] as const;
