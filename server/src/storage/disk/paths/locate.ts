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
import { type Step, type Steps, take } from './steps.ts';
import { isReservedName } from './temporary-names.ts';

/** The boundary that a path resolution must not leave. Apart from `admit` it can be handed to a worker. */
export interface ScopeRoot {
  readonly confinement: Confinement;
  readonly root: Folder;
  /** The absolute disk paths, as names, by which a link may mean the root. */
  readonly rootPaths: readonly (readonly string[])[];
  readonly exclusions: readonly Exclusion[];
  readonly followExternal: boolean;
  /** The permission bits of what is made; {@link defaultModes} when left out, as in workers. */
  readonly modes?: NewModes | undefined;
  /** Asked with the real place (names from the root) of what is about to be looked at, opened or made; throws to refuse. */
  readonly admit?: ((names: readonly string[]) => void) | undefined;
}

/** A name in a folder that is held open; the folder must be released with {@link release}. */
export interface ResolvedEntry {
  readonly folder: Folder;
  /** The last name; empty for the root itself, which `folder` then is. */
  readonly name: string;
  /** The real place: names from the root of the area, links resolved. */
  readonly names: readonly string[];
  /** The metadata of the entry, never of a link when links are followed; null when there is no entry. */
  readonly stats: BigIntStats | null;
  /** The link that was asked for when that name is one. */
  readonly link: BigIntStats | null;
  /** The folders on the way, the nearest last. */
  readonly above: readonly Pick<Folder, 'device' | 'inode'>[];
  /** Folders on the way are still to be made: `folder` is the nearest one that exists, not the one of `name`. */
  readonly lacksParents: boolean;
}

export interface LocateOptions {
  /** The treatment of a link at the last name. */
  readonly leaf: 'follow' | 'keep';
  /** Something is to be made or replaced there: hidden names are refused instead of looking free. */
  readonly forWriting?: boolean;
  /** Make the folders on the way that are missing; `later` only finds out whether they may be made. */
  readonly createParents?: boolean | 'later' | undefined;
  /** Filled in when the last name is a link, also when following it fails. */
  readonly seen?: { link: BigIntStats | null };
}

/** As many links as Linux follows in one path. */
const maxLinks = 40;

/** Gives a folder that was made on the way its mode; only the event loop makes folders. */
const setModeOf = (folder: Folder, modes: NewModes): Step<void> => ({
  sync: () => {
    throw new Error('no folder is made in a worker');
  },
  async: () => setFolderMode(folder, modes),
});

/** Nothing is there, whatever the reason; says nothing else. */
const missing = (cause?: unknown): AppError => new AppError('not_found', undefined, { cause });

const splitTarget = (target: string): string[] =>
  target.split('/').filter((name) => name !== '' && name !== '.');

/** The names behind the root when `target` starts with one of its paths; null when it leads elsewhere. */
function insideOf(rootPaths: ScopeRoot['rootPaths'], target: readonly string[]): string[] | null {
  for (const root of rootPaths) {
    if (root.length <= target.length && root.every((name, i) => name === target[i]))
      return target.slice(root.length);
  }
  return null;
}

/** Gives back what a {@link ResolvedEntry} holds. */
export function release(scopeRoot: ScopeRoot, resolved: ResolvedEntry): void {
  if (resolved.folder !== scopeRoot.root) closeFolder(resolved.folder);
}

/** The walk from the root of an area to one name in it. Holds one folder at a time. */
class Walk {
  readonly #area: ScopeRoot;
  readonly #options: LocateOptions;
  folder: Folder;
  /** The folders walked through, by name; the real place. */
  names: string[] = [];
  above: Folder[] = [];
  /** The names still to go, the next one last. */
  pending: string[];
  #links = 0;
  #isExternal = false;
  /** The link by whose name the last name is known, after it was followed out of the area. */
  #alias: string | null = null;

  constructor(scopeRoot: ScopeRoot, segments: readonly string[], options: LocateOptions) {
    this.#area = scopeRoot;
    this.#options = options;
    this.folder = scopeRoot.root;
    this.above = [scopeRoot.root];
    this.pending = segments.toReversed();
  }

  release(): void {
    if (this.folder !== this.#area.root) closeFolder(this.folder);
    this.folder = this.#area.root;
  }

  #restart(): void {
    this.release();
    this.names = [];
    this.above = [this.#area.root];
    this.#isExternal = false;
    this.#alias = null;
  }

  #enter(folder: Folder, name: string): void {
    this.release();
    this.folder = folder;
    this.above.push(folder);
    this.names.push(name);
  }

  /** Whether `name` in the current folder must look as if it did not exist. */
  isHidden(name: string): boolean {
    return isReservedName(name) || isExcludedName(this.#area.exclusions, this.folder, name);
  }

  /** Asks whether the place that the walk is heading for may be known. */
  admit(name: string): void {
    this.#area.admit?.([
      ...this.names,
      this.#alias ?? name,
      ...this.pending.toReversed().filter((next) => next !== '..'),
    ]);
  }

  *step(name: string): Steps<ResolvedEntry | null> {
    if (name === '..') {
      // Walking down again from the root is safe where opening `..` would follow a folder that is being moved.
      if (this.names.length === 0) throw new AppError('external_link');
      this.pending.push(...this.names.slice(0, -1).toReversed());
      this.#restart();
      return null;
    }
    if (this.isHidden(name)) {
      if (this.#options.forWriting === true) throw new AppError('forbidden');
      return this.pending.length > 0 ? this.#fail(name, missing()) : this.#leaf(name, null);
    }
    return this.pending.length > 0 ? yield* this.#descend(name) : yield* this.#arrive(name);
  }

  /** Throws `error` unless it would tell about a place that must not be known. */
  #fail(name: string, error: unknown): never {
    if (this.#links > 0) this.admit(name);
    throw error;
  }

  #leaf(name: string, stats: BigIntStats | null): ResolvedEntry {
    this.admit(name);
    return {
      folder: this.folder,
      name,
      names: [...this.names, this.#alias ?? name],
      stats,
      link: this.#options.seen?.link ?? null,
      above: this.above,
      lacksParents: false,
    };
  }

  /** A place whose folders, from `name` on, are still to be made, which nothing may speak against. */
  #futureLeaf(name: string): ResolvedEntry {
    const missingNames = [name, ...this.pending.toReversed()];
    if (missingNames.includes('..')) this.#fail(name, missing());
    if (missingNames.some(isReservedName)) throw new AppError('forbidden');
    for (const index of missingNames.keys())
      this.#area.admit?.([...this.names, ...missingNames.slice(0, index + 1)]);
    return {
      folder: this.folder,
      name: missingNames.at(-1) ?? name,
      names: [...this.names, ...missingNames],
      stats: null,
      link: this.#options.seen?.link ?? null,
      above: this.above,
      lacksParents: true,
    };
  }

  *#arrive(name: string): Steps<ResolvedEntry | null> {
    const stats = yield* take(lstat(at(this.folder, name)));
    if (stats === null || !stats.isSymbolicLink()) {
      if (stats === null || !isExcluded(this.#area.exclusions, identityOf(stats)))
        return this.#leaf(name, stats);
      if (this.#options.forWriting === true) throw new AppError('forbidden');
      return this.#leaf(name, null);
    }
    if (this.#options.seen !== undefined) this.#options.seen.link ??= stats;
    if (this.#options.leaf === 'keep') return this.#leaf(name, stats);
    const target = yield* take(readLink(at(this.folder, name)));
    if (target === null) {
      // It has just been replaced by something else, which is looked at anew.
      if (this.#options.seen?.link === stats) this.#options.seen.link = null;
      if (++this.#links > maxLinks) this.#fail(name, missing());
      this.pending.push(name);
      return null;
    }
    yield* this.#follow(name, target);
    return null;
  }

  *#descend(name: string): Steps<ResolvedEntry | null> {
    const place = at(this.folder, name);
    let child: Folder;
    try {
      child = yield* take(openFolder(this.#area.confinement, place));
    } catch (error) {
      if (isErrno(error, 'ENOTDIR', 'ELOOP')) {
        const target = yield* take(readLink(place));
        if (target === null) this.#fail(name, new AppError('not_a_folder', undefined, { cause: error }));
        else yield* this.#follow(name, target);
        return null;
      }
      if (!isErrno(error, 'ENOENT')) this.#fail(name, error);
      if (this.#options.createParents === 'later') return this.#futureLeaf(name);
      if (this.#options.createParents !== true) this.#fail(name, missing(error));
      this.#area.admit?.([...this.names, name]);
      const modes = this.#area.modes ?? defaultModes;
      const isMade = yield* take(makeFolder(place, mkdirMode(modes)));
      child = yield* take(openFolder(this.#area.confinement, place));
      if (isMade) yield* take(setModeOf(child, modes));
    }
    if (isExcluded(this.#area.exclusions, child)) {
      closeFolder(child);
      this.#fail(name, missing());
    }
    this.#enter(child, name);
    return null;
  }

  /** Continues at the target of the link `name`. */
  *#follow(name: string, target: string): Steps<void> {
    if (++this.#links > maxLinks) this.#fail(name, missing());
    const names = splitTarget(target);
    const inside = this.#isExternal
      ? null
      : target.startsWith('/')
        ? insideOf(this.#area.rootPaths, names)
        : names;
    if (inside !== null && !(this.#area.followExternal && this.#climbsOut(target, inside))) {
      this.pending.push(...inside.toReversed());
      if (target.startsWith('/')) this.#restart();
      // A link to the root itself: nothing is pending, and the root is where the walk ends.
    } else if (this.#area.followExternal) {
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

  /** The administrator's choice: the operating system follows the link, wherever it leads. */
  *#followOutside(name: string): Steps<void> {
    let real: string;
    try {
      real = yield* take(realPath(at(this.folder, name)));
    } catch (error) {
      throw isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP') ? missing(error) : error;
    }
    if (isExcludedPath(this.#area.exclusions, real)) throw missing();
    const isLeaf = this.pending.length === 0 && path.dirname(real) !== real;
    const folder = yield* take(
      openFollowing(this.#area.confinement, toRawPath(isLeaf ? path.dirname(real) : real)),
    );
    this.#isExternal = true;
    if (!isLeaf) return this.#enter(folder, name);
    this.#alias ??= name;
    this.release();
    this.folder = folder;
    this.above.push(folder);
    this.pending.push(path.basename(real));
  }
}

/**
 * Walks from the root of `area` along `segments`, name by name, each folder opened without following links; links are
 * resolved by hand, so that what is swapped meanwhile cannot lead out. What is excluded looks as if it were not there.
 *
 * Throws `not_found` (a folder on the way is missing), `not_a_folder` (one is a file), `external_link`; errors of the
 * operating system pass untranslated.
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
        scopeRoot.admit?.(walk.names);
        const stats = yield* take(lstat(at(walk.folder, '.')));
        return {
          folder: walk.folder,
          name: '',
          names: walk.names,
          stats,
          link: seen.link,
          above: walk.above,
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

/** Without held descriptors: the folder must still be the one that was walked to, inside the root. */
function* verify(scopeRoot: ScopeRoot, { folder }: ResolvedEntry): Steps<void> {
  const real = yield* take(realPath(toRawPath(folder.base)));
  const relative = path.relative(scopeRoot.root.base, real);
  const isInside =
    relative === '' ||
    (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
  const stats = yield* take(lstat(toRawPath(real)));
  if ((!isInside && !scopeRoot.followExternal) || stats === null || !isSame(identityOf(stats), folder)) {
    throw new AppError('external_link');
  }
}

/** The folder that `spot` names, opened. The caller closes it (the root of the area excepted). */
export function* enter(scopeRoot: ScopeRoot, resolved: ResolvedEntry): Steps<Folder> {
  if (resolved.name === '') return resolved.folder;
  const folder = yield* take(openFolder(scopeRoot.confinement, at(resolved.folder, resolved.name)));
  if (!isExcluded(scopeRoot.exclusions, folder)) return folder;
  closeFolder(folder);
  throw missing();
}
