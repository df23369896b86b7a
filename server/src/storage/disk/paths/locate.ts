import type { BigIntStats } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../../errors.ts';
import { isErrno, lstat, makeFolder, readLink, realPath } from './syscalls.ts';
import { type Exclusion, isExcluded, isExcludedName, isExcludedPath } from './exclusions.ts';
import {
  at,
  closeFolder,
  type Confinement,
  type Folder,
  identityOf,
  isSame,
  openFolder,
  openFollowing,
} from './folder.ts';
import { toRawPath } from './raw-names.ts';
import { defaultModes, mkdirMode, type NewModes, setFolderMode } from './modes.ts';
import { type Step, type Steps, perform } from './steps.ts';
import { isReservedName } from './temporary-names.ts';

/** The boundary that a path resolution must not leave. Apart from its functions it can be passed to a worker. */
export interface ScopeRoot {
  readonly confinement: Confinement;
  readonly root: Folder;
  /** The absolute disk paths of the root, as names. An absolute link that begins with one of them stays inside. */
  readonly rootPaths: readonly (readonly string[])[];
  readonly exclusions: readonly Exclusion[];
  readonly followExternal: boolean;
  /** Whether reserved names can be reached, for the repair of interrupted operations. */
  readonly reachesReserved?: boolean;
  /** The permission bits of new entries; {@link defaultModes} when left out, as in workers. */
  readonly modes?: NewModes | undefined;
  /**
   * Called with the real path (names from the root) of each entry before it is read, opened or created; throws to refuse. `name` is a
   * further name below `names`: many entries of a folder are checked faster with the same array.
   */
  readonly assertAllowed?: ((names: readonly string[], name?: string) => void) | undefined;
  /** Whether `assertAllowed` may refuse an entry below a folder that it allows; always possible when it is left out. */
  readonly mayDenyBelow?: ((names: readonly string[]) => boolean) | undefined;
}

/** A name in an open folder, which must be released with {@link release}. */
export interface ResolvedEntry {
  readonly folder: Folder;
  /** The last name; empty when the path is the root itself, and `folder` is the root then. */
  readonly name: string;
  /** The real path: names from the root of the scope, links resolved. */
  readonly names: readonly string[];
  /** The metadata of the entry, or of the target when links are followed; null when there is no entry. */
  readonly stats: BigIntStats | null;
  /** The metadata of the link itself, when the requested name is a link. */
  readonly link: BigIntStats | null;
  /** The folders above the entry, from the root down. */
  readonly ancestors: readonly Pick<Folder, 'device' | 'inode'>[];
  /** Parent folders are missing and have to be created: `folder` is the nearest existing one, not the parent of `name`. */
  readonly lacksParents: boolean;
}

/** Options of {@link locate}. */
export interface LocateOptions {
  /** The treatment of a link at the last name. */
  readonly leaf: 'follow' | 'keep';
  /** The entry is going to be created or replaced: hidden names are refused instead of being reported as missing. */
  readonly forWriting?: boolean;
  /** Creates missing parent folders; `later` only checks that they may be created. */
  readonly createParents?: boolean | 'later' | undefined;
  /** Called with the real path of each parent folder that was created. */
  readonly onCreated?: ((names: readonly string[]) => void) | undefined;
  /** Called instead of following a link; throws to end the walk. */
  readonly onLink?: () => never;
  /** Receives the metadata of the link when the last name is one, also when following it fails. */
  readonly seen?: { link: BigIntStats | null };
}

/** The number of links that Linux follows in one path. */
const maxLinks = 40;

/** Sets the mode of a parent folder that was created. Only the main thread creates folders. */
const setNewFolderMode = (folder: Folder, modes: NewModes): Step<void> => ({
  sync: () => {
    throw new Error('folders are not created in a worker');
  },
  async: () => setFolderMode(folder, modes),
});

/** The error for a missing entry. It reveals no other reason. */
const notFound = (cause?: unknown): AppError => new AppError('not_found', undefined, { cause });

const namesOfTarget = (target: string): string[] =>
  target.split('/').filter((name) => name !== '' && name !== '.');

/** The names below the root when `target` begins with one of the root's paths; null when it leads elsewhere. */
function namesBelowRoot(rootPaths: ScopeRoot['rootPaths'], target: readonly string[]): string[] | null {
  for (const root of rootPaths) {
    if (root.length <= target.length && root.every((name, i) => name === target[i]))
      return target.slice(root.length);
  }
  return null;
}

/** Closes the folder of a {@link ResolvedEntry}, unless it is the root. */
export function release(scopeRoot: ScopeRoot, resolved: Pick<ResolvedEntry, 'folder'>): void {
  if (resolved.folder !== scopeRoot.root) closeFolder(resolved.folder);
}

/** The walk from the root of a scope to one entry in it. Keeps one folder open at a time. */
class Walk {
  readonly #scopeRoot: ScopeRoot;
  readonly #options: LocateOptions;
  folder: Folder;
  /** The names of the folders walked through: the real path. */
  names: string[] = [];
  ancestors: Folder[] = [];
  /** The remaining names, the next one last. */
  pending: string[];
  #links = 0;
  #isExternal = false;
  /** The name of the link that was followed out of the scope; the last name is reported under it. */
  #alias: string | null = null;

  constructor(scopeRoot: ScopeRoot, segments: readonly string[], options: LocateOptions) {
    this.#scopeRoot = scopeRoot;
    this.#options = options;
    this.folder = scopeRoot.root;
    this.ancestors = [scopeRoot.root];
    this.pending = segments.toReversed();
  }

  release(): void {
    if (this.folder !== this.#scopeRoot.root) closeFolder(this.folder);
    this.folder = this.#scopeRoot.root;
  }

  #restart(): void {
    this.release();
    this.names = [];
    this.ancestors = [this.#scopeRoot.root];
    this.#isExternal = false;
    this.#alias = null;
  }

  #enterFolder(folder: Folder, name: string): void {
    this.release();
    this.folder = folder;
    this.ancestors.push(folder);
    this.names.push(name);
  }

  /** Whether `name` in the current folder has to be treated as missing. */
  isHidden(name: string): boolean {
    const isReserved = this.#scopeRoot.reachesReserved !== true && isReservedName(name);
    return isReserved || isExcludedName(this.#scopeRoot.exclusions, this.folder, name);
  }

  /** Checks the destination of the walk with the guard. */
  assertAllowed(name: string): void {
    this.#scopeRoot.assertAllowed?.([
      ...this.names,
      this.#alias ?? name,
      ...this.pending.toReversed().filter((next) => next !== '..'),
    ]);
  }

  *step(name: string): Steps<ResolvedEntry | null> {
    if (name === '..') {
      // Restarting from the root is safe, while opening `..` would follow a folder that is being moved.
      if (this.names.length === 0) throw new AppError('external_link');
      this.pending.push(...this.names.slice(0, -1).toReversed());
      this.#restart();
      return null;
    }
    if (this.isHidden(name)) {
      if (this.#options.forWriting === true) throw new AppError('forbidden');
      return this.pending.length > 0 ? this.#fail(name, notFound()) : this.#leaf(name, null);
    }
    return this.pending.length > 0 ? yield* this.#descend(name) : yield* this.#arrive(name);
  }

  /** Throws `error`, or the refusal of the guard when the error would reveal something about a denied path. */
  #fail(name: string, error: unknown): never {
    if (this.#links > 0) this.assertAllowed(name);
    throw error;
  }

  #leaf(name: string, stats: BigIntStats | null): ResolvedEntry {
    this.assertAllowed(name);
    return {
      folder: this.folder,
      name,
      names: [...this.names, this.#alias ?? name],
      stats,
      link: this.#options.seen?.link ?? null,
      ancestors: this.ancestors,
      lacksParents: false,
    };
  }

  /** The result for an entry whose parents, from `name` on, have to be created. The guard checks each of them. */
  #futureLeaf(name: string): ResolvedEntry {
    const missingNames = [name, ...this.pending.toReversed()];
    if (missingNames.includes('..')) this.#fail(name, notFound());
    if (missingNames.some(isReservedName)) throw new AppError('forbidden');
    for (const index of missingNames.keys())
      this.#scopeRoot.assertAllowed?.([...this.names, ...missingNames.slice(0, index + 1)]);
    return {
      folder: this.folder,
      name: missingNames.at(-1) ?? name,
      names: [...this.names, ...missingNames],
      stats: null,
      link: this.#options.seen?.link ?? null,
      ancestors: this.ancestors,
      lacksParents: true,
    };
  }

  *#arrive(name: string): Steps<ResolvedEntry | null> {
    const stats = yield* perform(lstat(at(this.folder, name)));
    if (stats === null || !stats.isSymbolicLink()) {
      if (stats === null || !isExcluded(this.#scopeRoot.exclusions, identityOf(stats)))
        return this.#leaf(name, stats);
      if (this.#options.forWriting === true) throw new AppError('forbidden');
      return this.#leaf(name, null);
    }
    this.#options.onLink?.();
    if (this.#options.seen !== undefined) this.#options.seen.link ??= stats;
    if (this.#options.leaf === 'keep') return this.#leaf(name, stats);
    const target = yield* perform(readLink(at(this.folder, name)));
    if (target === null) {
      // The link has just been replaced; look the name up again.
      if (this.#options.seen?.link === stats) this.#options.seen.link = null;
      if (++this.#links > maxLinks) this.#fail(name, notFound());
      this.pending.push(name);
      return null;
    }
    yield* this.#follow(name, target);
    return null;
  }

  *#descend(name: string): Steps<ResolvedEntry | null> {
    const childPath = at(this.folder, name);
    let child: Folder;
    try {
      child = yield* perform(openFolder(this.#scopeRoot.confinement, childPath));
    } catch (error) {
      if (isErrno(error, 'ENOTDIR', 'ELOOP')) {
        const target = yield* perform(readLink(childPath));
        if (target === null) this.#fail(name, new AppError('not_a_folder', undefined, { cause: error }));
        else yield* this.#follow(name, target);
        return null;
      }
      if (!isErrno(error, 'ENOENT')) this.#fail(name, error);
      if (this.#options.createParents === 'later') return this.#futureLeaf(name);
      if (this.#options.createParents !== true) this.#fail(name, notFound(error));
      this.#scopeRoot.assertAllowed?.([...this.names, name]);
      const modes = this.#scopeRoot.modes ?? defaultModes;
      const isNew = yield* perform(makeFolder(childPath, mkdirMode(modes)));
      child = yield* perform(openFolder(this.#scopeRoot.confinement, childPath));
      if (isNew) {
        yield* perform(setNewFolderMode(child, modes));
        this.#options.onCreated?.([...this.names, name]);
      }
    }
    if (isExcluded(this.#scopeRoot.exclusions, child)) {
      closeFolder(child);
      this.#fail(name, notFound());
    }
    this.#enterFolder(child, name);
    return null;
  }

  /** Continues at the target of the link `name`. */
  *#follow(name: string, target: string): Steps<void> {
    this.#options.onLink?.();
    if (++this.#links > maxLinks) this.#fail(name, notFound());
    const names = namesOfTarget(target);
    const inside = this.#isExternal
      ? null
      : target.startsWith('/')
        ? namesBelowRoot(this.#scopeRoot.rootPaths, names)
        : names;
    if (inside !== null && !(this.#scopeRoot.followExternal && this.#climbsOut(target, inside))) {
      this.pending.push(...inside.toReversed());
      if (target.startsWith('/')) this.#restart();
      // For a link to the root itself nothing is pending, and the walk ends at the root.
    } else if (this.#scopeRoot.followExternal) {
      yield* this.#followOutside(name);
    } else {
      throw new AppError('external_link');
    }
  }

  /** Whether `names` climb above the root, counted from the current folder (or from the root for absolute targets). */
  #climbsOut(target: string, names: readonly string[]): boolean {
    let depth = target.startsWith('/') ? 0 : this.names.length;
    for (const name of names) {
      depth += name === '..' ? -1 : 1;
      if (depth < 0) return true;
    }
    return false;
  }

  /** Follows a link out of the scope, which the administrator has allowed: the operating system resolves it. */
  *#followOutside(name: string): Steps<void> {
    let real: string;
    try {
      real = yield* perform(realPath(at(this.folder, name)));
    } catch (error) {
      throw isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP') ? notFound(error) : error;
    }
    if (isExcludedPath(this.#scopeRoot.exclusions, real)) throw notFound();
    const isLeaf = this.pending.length === 0 && path.dirname(real) !== real;
    const folder = yield* perform(
      openFollowing(this.#scopeRoot.confinement, toRawPath(isLeaf ? path.dirname(real) : real)),
    );
    this.#isExternal = true;
    if (!isLeaf) return this.#enterFolder(folder, name);
    this.#alias ??= name;
    this.release();
    this.folder = folder;
    this.ancestors.push(folder);
    this.pending.push(path.basename(real));
  }
}

/**
 * Walks from the root of the scope along `segments`, name by name. Each folder is opened without following links; links are
 * resolved here, so that an entry that is swapped meanwhile cannot lead out. Excluded entries are treated as missing.
 *
 * Throws `not_found` (a parent folder is missing), `not_a_folder` (a parent is a file), `external_link`; errors of the
 * operating system are not translated.
 */
export function* locate(
  scopeRoot: ScopeRoot,
  segments: readonly string[],
  options: LocateOptions,
): Steps<ResolvedEntry> {
  const seen = options.seen ?? { link: null };
  const walk = new Walk(scopeRoot, segments, { ...options, seen });
  try {
    for (;;) {
      const name = walk.pending.pop();
      if (name === undefined) {
        // Only the root has no name; any other walk ends at its last one.
        scopeRoot.assertAllowed?.(walk.names);
        const stats = yield* perform(lstat(at(walk.folder, '.')));
        return {
          folder: walk.folder,
          name: '',
          names: walk.names,
          stats,
          link: seen.link,
          ancestors: walk.ancestors,
          lacksParents: false,
        };
      }
      const resolved = yield* walk.step(name);
      if (resolved === null) continue;
      if (scopeRoot.confinement === 'path') yield* verify(scopeRoot, resolved);
      return resolved;
    }
  } catch (error) {
    walk.release();
    throw error;
  }
}

/** Without descriptors: checks that the folder is still the one that was walked to, inside the root. */
function* verify(scopeRoot: ScopeRoot, { folder }: ResolvedEntry): Steps<void> {
  const real = yield* perform(realPath(toRawPath(folder.base)));
  const relative = path.relative(scopeRoot.root.base, real);
  const isInside =
    relative === '' ||
    (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
  const stats = yield* perform(lstat(toRawPath(real)));
  if ((!isInside && !scopeRoot.followExternal) || stats === null || !isSame(identityOf(stats), folder)) {
    throw new AppError('external_link');
  }
}

/** Opens the folder that `resolved` identifies. The caller closes it, unless it is the root of the scope. */
export function* enter(scopeRoot: ScopeRoot, resolved: ResolvedEntry): Steps<Folder> {
  if (resolved.name === '') return resolved.folder;
  const folder = yield* perform(openFolder(scopeRoot.confinement, at(resolved.folder, resolved.name)));
  if (!isExcluded(scopeRoot.exclusions, folder)) return folder;
  closeFolder(folder);
  throw notFound();
}
