import { isAppError } from '../../../errors.ts';
import { isErrno } from '../paths/syscalls.ts';
import { isExcluded, isExcludedName } from '../paths/exclusions.ts';
import { at, closeFolder, type Folder, isSame, openFolder } from '../paths/folder.ts';
import { type ScopeRoot, enter, release, locate, type ResolvedEntry } from '../paths/locate.ts';
import { type RawEntry, readFolder } from '../read-folder.ts';
import { runAsync } from '../paths/steps.ts';
import { isReservedName } from '../paths/temporary-names.ts';

/** A folder of a tree, open while its contents are walked. */
export interface TreeFolder {
  readonly folder: Folder;
  readonly name: string;
  /** The real path: names from the root of the scope. */
  readonly names: readonly string[];
  /** Names from the top of the tree; empty for the top. */
  readonly relative: readonly string[];
}

/**
 * An event of a walk. The top has no parent. `entries` are all entries but folders; `linked` is the target of a
 * followed link to a file.
 */
export type TreeEvent =
  | { readonly kind: 'enter'; readonly at: TreeFolder; readonly parent: TreeFolder | null }
  | { readonly kind: 'exit'; readonly at: TreeFolder; readonly parent: TreeFolder | null }
  | { readonly kind: 'entries'; readonly at: TreeFolder; readonly entries: readonly RawEntry[] }
  | {
      readonly kind: 'linked';
      readonly at: TreeFolder;
      readonly name: string;
      readonly target: ResolvedEntry;
    };

export interface TraverseOptions {
  readonly signal?: AbortSignal | undefined;
  /** Follow links that stay inside and skip the others. Without it, links are among the `entries`. */
  readonly followLinks?: boolean;
  /** Include reserved names (unfinished files, the trash), which are skipped otherwise. */
  readonly withTemporary?: boolean;
  /** A folder that is never entered: the destination of a copy. */
  readonly avoid?: Pick<Folder, 'device' | 'inode'> | undefined;
  /** Called for every folder below the top once it is open; true skips the folder with its contents. */
  readonly skip?: ((folder: Folder) => Promise<boolean>) | undefined;
  /** Entries for which it returns false are skipped with their contents. */
  readonly accept?: ((relative: readonly string[]) => boolean) | undefined;
}

interface Frame {
  readonly at: TreeFolder;
  readonly chunks: AsyncGenerator<RawEntry[]>;
  /** Folders and followed links of the current chunk that have not been entered yet. */
  pending: RawEntry[];
}

/** The walk over one tree. Iterative; keeps the folders between the top and the current one open. */
class Traversal {
  readonly #scopeRoot: ScopeRoot;
  readonly #options: TraverseOptions;
  readonly #frames: Frame[] = [];

  constructor(scopeRoot: ScopeRoot, options: TraverseOptions) {
    this.#scopeRoot = scopeRoot;
    this.#options = options;
  }

  async *run(top: TreeFolder): AsyncGenerator<TreeEvent> {
    yield* this.#push(top);
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      this.#options.signal?.throwIfAborted();
      const next = frame.pending.pop();
      if (next !== undefined) {
        yield* next.type === 'link'
          ? this.#followLink(frame.at, next.name)
          : this.#enterFolder(frame.at, next.name);
        continue;
      }
      const chunk = await frame.chunks.next();
      if (chunk.done === true) {
        yield { kind: 'exit', at: frame.at, parent: this.#frames.at(-2)?.at ?? null };
        this.#pop();
        continue;
      }
      const entries = chunk.value.filter((entry) => this.#isShown(frame.at, entry));
      const isNested = ({ type }: RawEntry): boolean =>
        type === 'folder' || (type === 'link' && this.#options.followLinks === true);
      frame.pending = entries.filter(isNested);
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
    if (isExcludedName(this.#scopeRoot.exclusions, folder, name)) return false;
    return this.#options.accept?.([...relative, name]) ?? true;
  }

  *#push(tree: TreeFolder): Generator<TreeEvent> {
    this.#frames.push({ at: tree, chunks: readFolder(tree.folder), pending: [] });
    yield { kind: 'enter', at: tree, parent: this.#frames.at(-2)?.at ?? null };
  }

  /** Closes the current folder. The caller closes the top. */
  #pop(): void {
    const frame = this.#frames.pop();
    if (frame !== undefined && this.#frames.length > 0) closeFolder(frame.at.folder);
  }

  /** Whether entering `folder` would cause a cycle, or lead into the destination or an excluded folder. */
  #mustNotEnter(folder: Folder): boolean {
    const { avoid } = this.#options;
    if (isExcluded(this.#scopeRoot.exclusions, folder)) return true;
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
    if (this.#mustNotEnter(folder)) closeFolder(folder);
    else yield* this.#push({ folder, name, names, relative: [...parent.relative, name] });
  }

  async *#enterFolder(parent: TreeFolder, name: string): AsyncGenerator<TreeEvent> {
    let folder: Folder;
    try {
      folder = await openFolder(this.#scopeRoot.confinement, at(parent.folder, name)).async();
    } catch (error) {
      // It vanished or was replaced after its parent was read.
      if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return;
      throw error;
    }
    if (await this.#isSkipped(folder)) return closeFolder(folder);
    yield* this.#descend(parent, name, [...parent.names, name], folder);
  }

  async #isSkipped(folder: Folder): Promise<boolean> {
    try {
      return (await this.#options.skip?.(folder)) ?? false;
    } catch (error) {
      closeFolder(folder);
      throw error;
    }
  }

  async *#followLink(parent: TreeFolder, name: string): AsyncGenerator<TreeEvent> {
    let target: ResolvedEntry;
    try {
      target = await runAsync(locate(this.#scopeRoot, [...parent.names, name], { leaf: 'follow' }));
    } catch (error) {
      if (isAppError(error, 'external_link', 'not_found', 'not_a_folder')) return;
      throw error;
    }
    try {
      if (target.stats?.isDirectory() === true) {
        // The root contains the tree that is being walked.
        const folder = target.name === '' ? null : await runAsync(enter(this.#scopeRoot, target));
        if (folder !== null) yield* this.#descend(parent, name, target.names, folder);
      } else if (target.stats?.isFile() === true) {
        yield { kind: 'linked', at: parent, name, target };
      }
    } finally {
      release(this.#scopeRoot, target);
    }
  }
}

/** Walks the tree below `top`, which the caller closes. Enters a folder before its contents and exits it after them. */
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
