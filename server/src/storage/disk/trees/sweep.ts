import type { BigIntStats } from 'node:fs';
import { AppError, isAppError } from '../../../errors.ts';
import { syscalls, isErrno, ignoreErrno } from '../paths/syscalls.ts';
import {
  type CopiedEntries,
  type EntryPlace,
  isChangedAfter,
  isFolderMadeAfter,
} from '../transfers/copied-entries.ts';
import { copyFile } from '../transfers/copy-file.ts';
import { type Disk, withStandIn, withTemporary } from '../disk.ts';
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
import { Progress } from './progress.ts';
import { flushFolder, lstatOrNull, renameExclusively } from '../paths/publish.ts';
import { traverse, type TreeEvent, type TreeFolder } from './traverse.ts';

/** A pass ends when so many entries turned up that are newer than it: somebody writes faster than they can be copied. */
const maxNewer = 1_000;

/** So many entries are looked at and removed side by side. */
const parallelEntries = 8;

/** Where the copy of the tree is. */
export interface SweepTarget {
  /** The folder that contains it. */
  readonly folder: Folder;
  readonly name: string;
  /** Its real place. */
  readonly names: readonly string[];
  /** The folder that was made; when another has its name by now, nothing is put there. */
  readonly made: Identity | null;
}

/** A folder of the source on the way to the current one, and its counterpart once that was needed. */
interface Level {
  readonly at: TreeFolder;
  /** Undefined until it is needed; null when there is none, so that nothing can be put there. */
  target: Folder | null | undefined;
  /** The target has got something since it was flushed. */
  isDirty: boolean;
}

/**
 * Removes a tree whose entries were copied, and only what the target has: an entry that is as it was when it was copied is
 * removed; one that is not is copied, and removed by a later pass. What can be neither stays.
 */
export class Sweep {
  readonly #disk: Disk;
  readonly #top: TreeFolder;
  readonly #target: SweepTarget;
  readonly #copied: CopiedEntries;
  readonly #progress = new Progress({});
  #levels: Level[] = [];
  #hasDone = false;
  #waitMs = 0;
  #startedAt = 0;
  #newer = 0;

  constructor(
    disk: Disk,
    { top, target, copied }: { top: TreeFolder; target: SweepTarget; copied: CopiedEntries },
  ) {
    this.#disk = disk;
    this.#top = top;
    this.#target = target;
    this.#copied = copied;
  }

  /**
   * Goes through the tree once. `hasDone` says whether anything was removed or copied; `waitMs` is how long to wait before
   * the next pass, for files that were changed a moment ago.
   */
  async pass(): Promise<{ hasDone: boolean; waitMs: number }> {
    this.#hasDone = false;
    this.#waitMs = 0;
    this.#newer = 0;
    this.#startedAt = Date.now();
    const leavesOut = async (folder: Folder): Promise<boolean> =>
      this.#leaveIf(await isFolderMadeAfter(this.#startedAt, folder));
    try {
      for await (const event of traverse(this.#disk.scopeRoot, this.#top, {
        withTemporary: true,
        leavesOut,
      })) {
        await this.#take(event);
        if (this.#newer > maxNewer) break;
      }
    } finally {
      for (const { target } of this.#levels.splice(0)) if (target) closeFolder(target);
    }
    return { hasDone: this.#hasDone, waitMs: this.#waitMs };
  }

  get #level(): Level {
    const level = this.#levels.at(-1);
    if (level === undefined) throw new Error('no folder is being swept');
    return level;
  }

  async #take(event: TreeEvent): Promise<void> {
    if (event.kind === 'enter') {
      if (event.parent !== null && isOtherMount(event.parent.folder, event.at.folder))
        throw new AppError('holds_mount');
      this.#levels.push({ at: event.at, target: undefined, isDirty: false });
    } else if (event.kind === 'leave') {
      await this.#leave(event.at, event.parent);
    } else if (event.kind === 'entries') {
      for (let first = 0; first < event.entries.length; first += parallelEntries) {
        const run = event.entries.slice(first, first + parallelEntries);
        // The counterpart is opened or made by the first that needs it, so those come one after the other.
        const late = await Promise.all(run.map(({ name }) => this.#removeCopied(event.at, name)));
        for (const [index, stats] of late.entries()) {
          const entry = run[index];
          if (stats !== null && entry !== undefined) await this.#copyLate(event.at, entry.name, stats);
        }
      }
    }
  }

  async #leave({ name, relative }: TreeFolder, parent: TreeFolder | null): Promise<void> {
    const level = this.#level;
    const place = { relative: relative.slice(0, -1), name };
    if (parent !== null && !this.#copied.hasFolder(place) && (await this.#targetFolder()) !== null)
      this.#copied.addFolder(place);
    if (level.isDirty && level.target) await flushFolder(level.target);
    this.#levels.pop();
    if (level.target) closeFolder(level.target);
    if (parent === null || !this.#copied.hasFolder(place)) return;
    // Flushed before its counterpart in the source goes: the new folder itself is in the one above.
    const above = this.#level;
    if (above.isDirty && above.target) await flushFolder(above.target);
    const removed = await ignoreErrno(
      syscalls.rmdir(at(parent.folder, name)).then(() => true),
      'ENOENT',
      'ENOTEMPTY',
      'EEXIST',
    );
    this.#hasDone ||= removed === true;
  }

  /** Removes the entry when it is as it was copied; gives its facts when it is not, null when nothing is left to do. */
  async #removeCopied({ folder, relative }: TreeFolder, name: string): Promise<BigIntStats | null> {
    const stats = await lstatOrNull(folder, name);
    if (stats === null || isExcluded(this.#disk.scopeRoot.exclusions, identityOf(stats))) return null;
    if (!this.#copied.hasSource({ relative, name }, stats))
      return this.#leaveIf(isChangedAfter(this.#startedAt, stats)) ? null : stats;
    const waitMs = this.#copied.waitFor(stats);
    if (waitMs > 0) {
      this.#waitMs = Math.max(this.#waitMs, waitMs);
      return null;
    }
    await ignoreErrno(syscalls.unlink(at(folder, name)), 'ENOENT');
    this.#hasDone = true;
    return null;
  }

  /** Leaves what was made or changed since the pass began for the next one. */
  #leaveIf(isNewer: boolean): boolean {
    if (!isNewer) return false;
    this.#newer += 1;
    this.#waitMs = Math.max(this.#waitMs, 1);
    return true;
  }

  /** Copies an entry that is new or has changed, unless the target has something else of its name. */
  async #copyLate({ folder, relative }: TreeFolder, name: string, stats: BigIntStats): Promise<void> {
    if (!stats.isFile() && !stats.isSymbolicLink()) return;
    const target = await this.#targetFolder();
    if (target === null) return;
    const place = { relative, name };
    const there = await lstatOrNull(target, name);
    if (there !== null && !this.#copied.hasTarget(place, there)) return;
    try {
      await this.#copyTo(target, { folder, name, stats }, place, there !== null);
    } catch (error) {
      // It vanished, or somebody else was first: the next pass sees what is there then.
      const isOver = isErrno(error, 'ENOENT', 'ELOOP', 'ENXIO') || isAppError(error, ...elsewhere);
      if (!isOver) throw error;
    }
  }

  async #copyTo(
    target: Folder,
    from: { readonly folder: Folder; readonly name: string; readonly stats: BigIntStats },
    place: EntryPlace,
    isReplacing: boolean,
  ): Promise<void> {
    const names = [...this.#target.names, ...place.relative];
    const { name } = place;
    await withTemporary(
      this.#disk,
      names,
      async (temporary) => {
        let source: BigIntStats | null = from.stats;
        if (from.stats.isSymbolicLink()) {
          const text = await syscalls.readlink(at(from.folder, name), { encoding: 'buffer' });
          await syscalls.symlink(text, at(target, temporary));
        } else {
          const options = { isMove: true };
          ({ source } = await copyFile(
            this.#disk.scopeRoot,
            from,
            target,
            temporary,
            this.#progress,
            options,
          ));
        }
        const duringStandIn = withStandIn(this.#disk, { names, name }, { names, name: temporary });
        await (isReplacing
          ? syscalls.rename(at(target, temporary), at(target, name))
          : renameExclusively(target, temporary, target, name, duringStandIn));
        this.#level.isDirty = true;
        const made = await lstatOrNull(target, name);
        if (made !== null) this.#copied.addTarget(place, made, { wasRenamed: false });
        if (source !== null) this.#copied.addSource(place, source);
        this.#hasDone = true;
      },
      async (temporary) => {
        await ignoreErrno(syscalls.unlink(at(target, temporary)), 'ENOENT');
      },
    );
  }

  /** The counterpart of the current folder, made when it is missing; null when something else has its place. */
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
    const isMade = await ignoreErrno(
      syscalls.mkdir(at(parent, source.name), 0o700).then(() => true),
      'EEXIST',
      'ENOENT',
    );
    if (isMade === true) above.isDirty = true;
    const folder = await this.#open(parent, source.name);
    if (folder === null || isMade !== true) return folder;
    const stats = await lstatOrNull(source.folder, '.');
    if (stats !== null) await setFolderBits(folder, Number(stats.mode & 0o2777n));
    return folder;
  }

  /** Null when no folder has the name. */
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

/** The codes by which the copy of one entry says that it is not there any more, or is something else. */
const elsewhere = ['already_exists', 'not_found', 'special_file', 'external_link', 'is_folder'] as const;
