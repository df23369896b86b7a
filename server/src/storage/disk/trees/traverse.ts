import { isAppError } from '../../../errors.ts';
import { ignoreErrno } from '../paths/syscalls.ts';
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

/** The entries that a walk visits, and how it reads them. */
export interface TraverseOptions {
  readonly signal?: AbortSignal | undefined;
  /** Follow links that stay inside and skip the others. Without it, links are among the `entries`. */
  readonly followLinks?: boolean;
  /** Include reserved names (unfinished files, the trash), which are skipped otherwise. */
  readonly includesReserved?: boolean;
  /** A folder that is never entered: the destination of a copy. */
  readonly avoid?: Pick<Folder, 'device' | 'inode'> | undefined;
  /**
   * Opens the next folders and reads their first names before the walk enters them: faster, for walks that neither change the tree nor
   * take long for a folder.
   */
  readonly readsAhead?: boolean;
  /** Called for every folder below the top once it is open; true skips the folder with its contents. */
  readonly skip?: ((folder: Folder) => Promise<boolean>) | undefined;
  /** Entries for which it returns false are skipped with their contents. */
  readonly accept?: ((relative: readonly string[]) => boolean) | undefined;
}

/** The number of folders that are read ahead: as many as Node has threads. */
const foldersAhead = 4;

/** A folder that was opened, and its names. */
interface OpenedFolder {
  readonly folder: Folder;
  readonly chunks: AsyncGenerator<RawEntry[]>;
  /** The first names, if they were requested already. */
  readonly first: Promise<IteratorResult<RawEntry[]>> | null;
}

const unread = (folder: Folder): OpenedFolder => ({ folder, chunks: readFolder(folder), first: null });

/** Closes a folder once nothing reads it any more: its descriptor may be given to another folder then. */
async function close({ folder, chunks }: OpenedFolder): Promise<void> {
  await chunks.return(undefined);
  closeFolder(folder);
}

interface Frame {
  readonly at: TreeFolder;
  readonly chunks: AsyncGenerator<RawEntry[]>;
  first: Promise<IteratorResult<RawEntry[]>> | null;
  /** Folders and followed links of the current chunk that have not been entered yet. */
  pending: RawEntry[];
  /** The last ones of them, which are read ahead; null for a folder that no longer exists. */
  readonly ahead: Map<string, Promise<OpenedFolder | null>>;
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
    yield* this.#push(top, unread(top.folder));
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      this.#options.signal?.throwIfAborted();
      if (this.#options.readsAhead === true) this.#readAhead(frame);
      const next = frame.pending.pop();
      if (next !== undefined) {
        yield* next.type === 'link'
          ? this.#followLink(frame.at, next.name)
          : this.#enterFolder(frame, next.name);
        continue;
      }
      const chunk = await (frame.first ?? frame.chunks.next());
      frame.first = null;
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
      for (const opening of frame.ahead.values()) {
        const opened = await opening.catch(() => null);
        if (opened !== null) await close(opened);
      }
      await frame.chunks.return(undefined);
      this.#pop();
    }
  }

  #readAhead({ at: parent, pending, ahead }: Frame): void {
    for (const { name, type } of pending.slice(-foldersAhead)) {
      if (type !== 'folder' || ahead.has(name)) continue;
      const opening = this.#open(parent, name).then((opened) => {
        if (opened === null) return null;
        const first = opened.chunks.next();
        // The walk reports the error when it reads the folder.
        first.catch(() => undefined);
        return { ...opened, first };
      });
      opening.catch(() => undefined);
      ahead.set(name, opening);
    }
  }

  /** Opens a folder; null if it vanished or was replaced after its parent was read. */
  async #open(parent: TreeFolder, name: string): Promise<OpenedFolder | null> {
    const opening = openFolder(this.#scopeRoot.confinement, at(parent.folder, name)).async();
    const folder = await ignoreErrno(opening, 'ENOENT', 'ENOTDIR', 'ELOOP');
    return folder === undefined ? null : unread(folder);
  }

  #isShown({ folder, relative }: TreeFolder, { name }: RawEntry): boolean {
    if (this.#options.includesReserved !== true && isReservedName(name)) return false;
    if (isExcludedName(this.#scopeRoot.exclusions, folder, name)) return false;
    return this.#options.accept?.([...relative, name]) ?? true;
  }

  *#push(tree: TreeFolder, { chunks, first }: OpenedFolder): Generator<TreeEvent> {
    this.#frames.push({ at: tree, chunks, first, pending: [], ahead: new Map() });
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

  async *#descend(
    parent: TreeFolder,
    name: string,
    names: readonly string[],
    opened: OpenedFolder,
  ): AsyncGenerator<TreeEvent> {
    const { folder } = opened;
    if (this.#mustNotEnter(folder)) await close(opened);
    else yield* this.#push({ folder, name, names, relative: [...parent.relative, name] }, opened);
  }

  async *#enterFolder({ at: parent, ahead }: Frame, name: string): AsyncGenerator<TreeEvent> {
    const opening = ahead.get(name);
    ahead.delete(name);
    const opened = await (opening ?? this.#open(parent, name));
    if (opened === null) return;
    if (await this.#isSkipped(opened)) return close(opened);
    yield* this.#descend(parent, name, [...parent.names, name], opened);
  }

  async #isSkipped(opened: OpenedFolder): Promise<boolean> {
    try {
      return (await this.#options.skip?.(opened.folder)) ?? false;
    } catch (error) {
      await close(opened);
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
        if (folder !== null) yield* this.#descend(parent, name, target.names, unread(folder));
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
