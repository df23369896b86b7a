import { isAppError } from '../../../errors.ts';
import { isErrno } from '../paths/syscalls.ts';
import { isExcluded, isExcludedName } from '../paths/exclusions.ts';
import { at, closeFolder, type Folder, isSame, openFolder } from '../paths/folder.ts';
import { type ScopeRoot, enter, release, locate, type ResolvedEntry } from '../paths/locate.ts';
import { type RawEntry, readFolder } from '../read-folder.ts';
import { runAsync } from '../paths/steps.ts';
import { isReservedName } from '../paths/temporary-names.ts';

/** A folder of a tree, held open while the tree is walked inside it. */
export interface TreeFolder {
  readonly folder: Folder;
  readonly name: string;
  /** The real place: names from the root of the area. */
  readonly names: readonly string[];
  /** Names from the top of the tree; empty for the top. */
  readonly relative: readonly string[];
}

/** `entries` are everything but folders; `linked` is what a followed link to a file leads to. */
export type TreeEvent =
  | {
      readonly kind: 'enter';
      readonly at: TreeFolder;
      /** Null for the top. */ readonly parent: TreeFolder | null;
    }
  | {
      readonly kind: 'leave';
      readonly at: TreeFolder;
      /** Null for the top. */ readonly parent: TreeFolder | null;
    }
  | { readonly kind: 'entries'; readonly at: TreeFolder; readonly entries: readonly RawEntry[] }
  | {
      readonly kind: 'linked';
      readonly at: TreeFolder;
      readonly name: string;
      readonly target: ResolvedEntry;
    };

export interface TraverseOptions {
  readonly signal?: AbortSignal | undefined;
  /** Follow links that stay inside; others are left out. Otherwise links are among the `entries`. */
  readonly followLinks?: boolean;
  /** Include reserved names (unfinished files, the trash), which are left out otherwise. */
  readonly withTemporary?: boolean;
  /** A folder that is not entered wherever it is met: the destination of a copy. */
  readonly avoid?: Pick<Folder, 'device' | 'inode'> | undefined;
  /** Asked about every folder below the top once it is open; those that it names are left out with all they hold. */
  readonly leavesOut?: ((folder: Folder) => Promise<boolean>) | undefined;
  /** Entries that it refuses are left out with all they hold. */
  readonly accept?: ((relative: readonly string[]) => boolean) | undefined;
}

interface Frame {
  readonly at: TreeFolder;
  readonly chunks: AsyncGenerator<RawEntry[]>;
  /** Folders and followed links of the current chunk that are still to be entered. */
  waiting: RawEntry[];
}

/** The walk over one tree. Iterative; holds the open folders between the top and the current one. */
class Traversal {
  readonly #area: ScopeRoot;
  readonly #options: TraverseOptions;
  readonly #frames: Frame[] = [];

  constructor(scopeRoot: ScopeRoot, options: TraverseOptions) {
    this.#area = scopeRoot;
    this.#options = options;
  }

  async *run(top: TreeFolder): AsyncGenerator<TreeEvent> {
    yield* this.#push(top);
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      this.#options.signal?.throwIfAborted();
      const next = frame.waiting.pop();
      if (next !== undefined) {
        yield* next.type === 'link'
          ? this.#followLink(frame.at, next.name)
          : this.#enterFolder(frame.at, next.name);
        continue;
      }
      const turn = await frame.chunks.next();
      if (turn.done === true) {
        yield { kind: 'leave', at: frame.at, parent: this.#frames.at(-2)?.at ?? null };
        this.#pop();
        continue;
      }
      const entries = turn.value.filter((entry) => this.#isShown(frame.at, entry));
      const isNested = ({ type }: RawEntry): boolean =>
        type === 'folder' || (type === 'link' && this.#options.followLinks === true);
      frame.waiting = entries.filter(isNested);
      const plain = entries.filter((entry) => !isNested(entry));
      if (plain.length > 0) yield { kind: 'entries', at: frame.at, entries: plain };
    }
  }

  async release(): Promise<void> {
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      this.#pop();
      await frame.chunks.return(undefined);
    }
  }

  #isShown({ folder, relative }: TreeFolder, { name }: RawEntry): boolean {
    if (this.#options.withTemporary !== true && isReservedName(name)) return false;
    if (isExcludedName(this.#area.exclusions, folder, name)) return false;
    return this.#options.accept?.([...relative, name]) ?? true;
  }

  *#push(tree: TreeFolder): Generator<TreeEvent> {
    this.#frames.push({ at: tree, chunks: readFolder(tree.folder), waiting: [] });
    yield { kind: 'enter', at: tree, parent: this.#frames.at(-2)?.at ?? null };
  }

  /** The top is the caller's to close. */
  #pop(): void {
    const frame = this.#frames.pop();
    if (frame !== undefined && this.#frames.length > 0) closeFolder(frame.at.folder);
  }

  /** Whether entering `folder` would go round in circles or into the destination. */
  #isBarred(folder: Folder): boolean {
    const { avoid } = this.#options;
    if (isExcluded(this.#area.exclusions, folder)) return true;
    return (
      (avoid !== undefined && isSame(avoid, folder)) ||
      this.#frames.some(({ at: open }) => isSame(open.folder, folder))
    );
  }

  *#descend(
    parent: TreeFolder,
    name: string,
    names: readonly string[],
    folder: Folder,
  ): Generator<TreeEvent> {
    if (this.#isBarred(folder)) closeFolder(folder);
    else yield* this.#push({ folder, name, names, relative: [...parent.relative, name] });
  }

  async *#enterFolder(parent: TreeFolder, name: string): AsyncGenerator<TreeEvent> {
    let folder: Folder;
    try {
      folder = await openFolder(this.#area.confinement, at(parent.folder, name)).async();
    } catch (error) {
      // It vanished, or was replaced by something else, after the folder was read.
      if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return;
      throw error;
    }
    if (await this.#isLeftOut(folder)) return closeFolder(folder);
    yield* this.#descend(parent, name, [...parent.names, name], folder);
  }

  async #isLeftOut(folder: Folder): Promise<boolean> {
    try {
      return (await this.#options.leavesOut?.(folder)) ?? false;
    } catch (error) {
      closeFolder(folder);
      throw error;
    }
  }

  async *#followLink(parent: TreeFolder, name: string): AsyncGenerator<TreeEvent> {
    let target: ResolvedEntry;
    try {
      target = await runAsync(locate(this.#area, [...parent.names, name], { leaf: 'follow' }));
    } catch (error) {
      if (isAppError(error, 'external_link', 'not_found', 'not_a_folder')) return;
      throw error;
    }
    try {
      if (target.stats?.isDirectory() === true) {
        // The root holds the very tree that is being walked.
        const folder = target.name === '' ? null : await runAsync(enter(this.#area, target));
        if (folder !== null) yield* this.#descend(parent, name, target.names, folder);
      } else if (target.stats?.isFile() === true) {
        yield { kind: 'linked', at: parent, name, target };
      }
    } finally {
      release(this.#area, target);
    }
  }
}

/** Walks the tree below `top`, which stays the caller's. Parents are entered before and left after what they hold. */
export async function* traverse(
  scopeRoot: ScopeRoot,
  top: TreeFolder,
  options: TraverseOptions = {},
): AsyncGenerator<TreeEvent> {
  const traversal = new Traversal(scopeRoot, options);
  try {
    yield* traversal.run(top);
  } finally {
    await traversal.release();
  }
}
