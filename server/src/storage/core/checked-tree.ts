import {
  isAtOrBelow,
  joinPaths,
  nameOf,
  parentOf,
  relativeTo,
  rootPath,
  segmentsOf,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { AppError, isAppError } from '../../errors.ts';
import type { KeepOptions } from '../kept/kept-entries.ts';
import { Locks } from '../disk/locks.ts';
import { isReservedName } from '../disk/paths/temporary-names.ts';
import type { WriteOptions } from '../storage.ts';
import type { CoreEntry, StorageBackend } from './storage-core.ts';

type AssertAllowed = (path: VirtualPath) => void;

/** An entry that was found below a folder. */
export interface Descendant {
  readonly path: VirtualPath;
  readonly entry: CoreEntry;
}

/** Options of {@link CheckedTree.descendants}. */
export interface DescendantsOptions {
  /** Returns false for entries to leave out with their contents. */
  readonly accept?: ((path: VirtualPath) => boolean) | undefined;
  /** The order within one folder. */
  readonly compare?: (a: string, b: string) => number;
  /** Leaves out folders that vanish or cannot be read, instead of failing. */
  readonly skipsUnreadable?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The entry `name` of `folder`. */
export const childPath = (folder: VirtualPath, name: string): VirtualPath =>
  joinPaths(folder, `/${name}` as VirtualPath);

/** Whether `name` is one segment of a path. A backend that lists anything else must not lead out of a folder. */
const isSegment = (name: string): boolean => !/[/\0]/.test(name) && !['', '.', '..'].includes(name);

/** The conditions of a write on its destination; see {@link WriteOptions}. */
interface Destination {
  readonly mode: WriteOptions['mode'];
  readonly confirm?: WriteOptions['confirm'] | undefined;
}

/** Keeps an existing file at `path` that is about to be replaced. */
export type Displace = (path: VirtualPath, current: CoreEntry) => Promise<void>;

/** The options of publishing a file. */
interface Publication extends Destination {
  /** Called with an existing file before it is replaced. */
  readonly displace?: Displace | undefined;
}

const hasReservedName = (path: VirtualPath): boolean => segmentsOf(path).some(isReservedName);

/** A folder of a backend with the guards of the storage. Only this class converts paths to those of the backend. */
export class CheckedTree {
  readonly backend: StorageBackend;
  readonly #prefix: VirtualPath;
  readonly #assertAllowed: AssertAllowed;
  /** Shared by all trees of one backend. */
  readonly #locks: Locks;

  constructor(
    backend: StorageBackend,
    prefix: VirtualPath = rootPath,
    assertAllowed: AssertAllowed = () => undefined,
    locks = new Locks(),
  ) {
    this.backend = backend;
    this.#prefix = prefix;
    this.#assertAllowed = assertAllowed;
    this.#locks = locks;
  }

  /** The tree of the folder at `path`. Its paths are relative to the folder. */
  within(path: VirtualPath): CheckedTree {
    return this.keptAt(this.absolute(path), path);
  }

  /** The whole backend without guards: paths of the tree are those of the backend. */
  whole(): CheckedTree {
    return new CheckedTree(this.backend, rootPath, undefined, this.#locks);
  }

  /** The tree of the folder at the backend's path `top`, with guards that are called with its paths below `path`. */
  keptAt(top: VirtualPath, path: VirtualPath): CheckedTree {
    const assertAllowed = (below: VirtualPath): void => this.#assertAllowed(joinPaths(path, below));
    return new CheckedTree(this.backend, top, assertAllowed, this.#locks);
  }

  /** The path of this tree for a path of the backend; null when it is outside. */
  fromAbsolute(absolute: VirtualPath): VirtualPath | null {
    return isAtOrBelow(absolute, this.#prefix) ? relativeTo(absolute, this.#prefix) : null;
  }

  /** The same tree with an additional guard. */
  guarded(assertAllowed: AssertAllowed): CheckedTree {
    const both = (path: VirtualPath): void => {
      this.#assertAllowed(path);
      assertAllowed(path);
    };
    return new CheckedTree(this.backend, this.#prefix, both, this.#locks);
  }

  /** The backend's path, unchecked: call {@link find}, {@link assertAllowed} or {@link assertParents} first. */
  absolute(path: VirtualPath): VirtualPath {
    return joinPaths(this.#prefix, path);
  }

  /** Throws the error of the first guard that refuses one of `paths`. */
  assertAllowed(...paths: VirtualPath[]): void {
    for (const path of paths) this.#assertAllowed(path);
  }

  /** Whether the guards allow `path`. */
  isAllowed(path: VirtualPath): boolean {
    try {
      this.#assertAllowed(path);
      return true;
    } catch (error) {
      if (isAppError(error)) return false;
      throw error;
    }
  }

  /** The entry at `path`; null when there is none. Throws the error of a guard that refuses the path. */
  async find(path: VirtualPath): Promise<CoreEntry | null> {
    this.#assertAllowed(path);
    return hasReservedName(path) ? null : this.#stat(path);
  }

  /** As {@link find}. Throws `not_found`, `not_a_folder`. */
  async findFolder(path: VirtualPath): Promise<CoreEntry> {
    const entry = await this.find(path);
    if (entry === null) throw new AppError('not_found');
    if (entry.kind !== 'folder') throw new AppError('not_a_folder');
    return entry;
  }

  /** The entries of the folder at the backend's path `path`, reserved names included. */
  async allChildren(path: VirtualPath): Promise<CoreEntry[]> {
    return (await this.backend.list(path)).filter(({ name }) => isSegment(name));
  }

  /** The entries of a folder that has been checked, without reserved names. */
  async children(path: VirtualPath): Promise<CoreEntry[]> {
    const entries = await this.allChildren(this.absolute(path));
    return entries.filter(({ name }) => !isReservedName(name));
  }

  /** All entries below `top`, depth first, each folder before its contents. */
  async *descendants(top: VirtualPath, options: DescendantsOptions = {}): AsyncGenerator<Descendant> {
    const { accept, compare, skipsUnreadable = false, signal } = options;
    const below = async (folder: VirtualPath): Promise<Descendant[]> => {
      const entries = await this.children(folder);
      if (compare !== undefined) entries.sort((a, b) => compare(a.name, b.name));
      // `pop` takes the next one from the end.
      return entries.reverse().map((entry) => ({ path: childPath(folder, entry.name), entry }));
    };
    const pending = await below(top);
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      signal?.throwIfAborted();
      if (accept !== undefined && !accept(next.path)) continue;
      yield next;
      if (next.entry.kind !== 'folder') continue;
      try {
        for (const inner of await below(next.path)) pending.push(inner);
      } catch (error) {
        if (!skipsUnreadable || !isAppError(error, 'not_found', 'not_a_folder', 'forbidden')) throw error;
      }
    }
  }

  /**
   * Checks that `path` may be created or replaced, and changes nothing. Throws `forbidden` for reserved names, `not_found`
   * for a missing parent unless it is to be created, `not_a_folder`, and the errors of the guards, which check `path` and
   * every missing parent.
   */
  async assertParents(path: VirtualPath, createParents: boolean | undefined): Promise<void> {
    await this.#missingParents(path, createParents);
    this.#assertAllowed(path);
  }

  /** Creates the missing parents of `path`, and reports them. Throws as {@link assertParents}. */
  async createParents(
    path: VirtualPath,
    createParents: boolean | undefined,
    onParent?: KeepOptions['onParent'],
  ): Promise<void> {
    for (const missing of await this.#missingParents(path, createParents))
      if (await this.createFolder(missing)) onParent?.(this.absolute(missing));
    this.#assertAllowed(path);
  }

  /** Creates one folder, and returns whether it is new. Throws `already_exists` for a file. */
  async createFolder(path: VirtualPath): Promise<boolean> {
    try {
      await this.backend.createFolder(this.absolute(path));
      return true;
    } catch (error) {
      if (isAppError(error, 'already_exists') && (await this.#stat(path))?.kind === 'folder') return false;
      throw error;
    }
  }

  /** Checks the destination of a write (see {@link WriteOptions}), and returns the current entry. */
  async assertWritable(path: VirtualPath, { mode, confirm }: Destination): Promise<CoreEntry | null> {
    const current = await this.#stat(path);
    if (current === null && mode === 'replace') throw new AppError('not_found');
    if (current !== null && mode === 'create') throw new AppError('already_exists');
    if (current?.kind === 'folder') throw new AppError('is_folder');
    confirm?.(current);
    return current;
  }

  /** Renames the complete file `staged` (the backend's path) to `path`, after {@link assertWritable}. */
  async publish(staged: VirtualPath, path: VirtualPath, options: Publication): Promise<CoreEntry> {
    return this.locked(path, async () => {
      const current = await this.assertWritable(path, options);
      if (current !== null) await this.backend.setMetadata(staged, { mode: current.mode });
      if (current !== null) await options.displace?.(path, current);
      await this.backend.renameFile(staged, this.absolute(path), { replace: options.mode !== 'create' });
      const entry = await this.#stat(path);
      if (entry === null) throw new AppError('not_found');
      return entry;
    });
  }

  /** Runs `work` while nothing else of this process publishes at `path`. */
  locked<T>(path: VirtualPath, work: () => Promise<T>): Promise<T> {
    return this.#locks.run(this.absolute(path), work);
  }

  async #stat(path: VirtualPath): Promise<CoreEntry | null> {
    const entry = await this.backend.stat(this.absolute(path));
    return entry && { ...entry, name: nameOf(path) };
  }

  async #missingParents(path: VirtualPath, createParents: boolean | undefined): Promise<VirtualPath[]> {
    if (hasReservedName(path)) throw new AppError('forbidden');
    const missing: VirtualPath[] = [];
    for (const parent of parentsOf(path)) {
      const entry = missing.length === 0 ? await this.#stat(parent) : null;
      if (entry === null) {
        if (createParents !== true) throw new AppError('not_found');
        this.#assertAllowed(parent);
        missing.push(parent);
      } else if (entry.kind !== 'folder') throw new AppError('not_a_folder');
    }
    return missing;
  }
}

/** The folders above `path` from the top, without the root. */
function parentsOf(path: VirtualPath): VirtualPath[] {
  const parents: VirtualPath[] = [];
  for (let parent = parentOf(path); parent !== rootPath; parent = parentOf(parent)) parents.unshift(parent);
  return parents;
}
