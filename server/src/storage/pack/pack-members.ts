import fs, { type Dirent, type Stats } from 'node:fs';
import { AppError, isAppError } from '../../errors.ts';
import { isErrno } from '../disk/paths/syscalls.ts';
import { isExcluded, isExcludedName } from '../disk/paths/exclusions.ts';
import { at, closeFolder, type Folder, isSame, openFlags, openFolder } from '../disk/paths/folder.ts';
import { type ScopeRoot, enter, release, locate, type ResolvedEntry } from '../disk/paths/locate.ts';
import { isNotUtf8, toRawPath } from '../disk/paths/raw-names.ts';
import { readUndecodable } from '../disk/read-folder.ts';
import { runSync } from '../disk/paths/steps.ts';
import { isReservedName } from '../disk/paths/temporary-names.ts';
import type { MemberMetadata } from './container.ts';
import { freeMemberName } from './member-names.ts';
import type { PackJob, PackMember, Question } from './pack-protocol.ts';
import { type Content, FileChangedError, type FullBlock, type Packer } from './packer.ts';

/** The number of names that are read, and checked with the guard, at once. */
const chunkEntries = 256;
/** The number of attempts to read a small file that changes meanwhile. */
const maxAttempts = 3;

/** Questions to the guard. The caller replies with {@link MemberPacking.refuse} before the next step. */
export interface EntryQuestions {
  readonly kind: 'ask';
  readonly questions: readonly Question[];
}

type PackSteps = Generator<FullBlock | EntryQuestions>;

/** A folder that is being packed. */
interface Frame {
  readonly folder: Folder;
  /** Whether it is the root of the scope, which must not be closed. */
  readonly isRoot: boolean;
  readonly directory: fs.Dir;
  /** Whether there are names that are not UTF-8; they are read as bytes after the others. */
  hasUndecodable: boolean;
  /** With a slash at its end, or empty at the top of the archive. */
  readonly prefix: string;
  readonly real: readonly string[];
  readonly below: readonly string[];
  /** Entries that are packed next, from `position`. */
  chunk: readonly Found[];
  position: number;
}

/** An entry of a folder, ready to be packed. */
interface Found {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link';
  /** The target of a link: names from the root of the scope. */
  readonly target: readonly string[] | null;
}

const metadataOf = (stats: Stats): MemberMetadata => ({
  size: stats.size,
  modifiedMs: stats.mtimeMs,
  mode: stats.mode,
});

/** Whether the error means that an entry vanished, was replaced, or cannot be read. Such entries are skipped, as in a listing. */
const isUnreadable = (error: unknown): boolean =>
  isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM', 'ENXIO', 'ENODEV', 'ENAMETOOLONG') ||
  isAppError(error, 'external_link', 'not_found', 'not_a_folder', 'forbidden');

/** Returns the result of `work`, or null when the entry cannot be read. */
function ignoreUnreadable<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw error;
  }
}

const statFolder = ({ descriptor, base }: Folder): Stats =>
  descriptor < 0 ? fs.lstatSync(toRawPath(base)) : fs.fstatSync(descriptor);

function typeOf(dirent: Dirent, folder: Folder): Found['type'] | null {
  if (dirent.isFile()) return 'file';
  if (dirent.isDirectory()) return 'folder';
  if (dirent.isSymbolicLink()) return 'link';
  if (dirent.isFIFO() || dirent.isSocket() || dirent.isBlockDevice() || dirent.isCharacterDevice())
    return null;
  // Some file systems do not report the type with the name.
  const stats = ignoreUnreadable(() => fs.lstatSync(at(folder, dirent.name)));
  if (stats === null) return null;
  return stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : null;
}

/**
 * Reads trees and packs them, blocking the thread; yields full blocks and questions. Walks like `traverse`: every folder is
 * opened relative to its parent, links are resolved here, and nothing outside the scope is ever opened. Iterative.
 */
export class MemberPacking {
  readonly #job: PackJob;
  readonly #scopeRoot: ScopeRoot;
  readonly #packer: Packer;
  readonly #frames: Frame[] = [];
  readonly #stop: Int32Array;
  readonly #excluded: readonly { dev: number; ino: number }[];
  #refused: ReadonlySet<number> = new Set();

  constructor(job: PackJob, packer: Packer) {
    this.#job = job;
    this.#scopeRoot = job.scopeRoot;
    this.#packer = packer;
    this.#stop = new Int32Array(job.stop);
    this.#excluded = job.scopeRoot.exclusions.flatMap(({ self }) =>
      self === null ? [] : [{ dev: Number(self.device), ino: Number(self.inode) }],
    );
  }

  /** Refuses entries, by their positions in the last {@link EntryQuestions}. */
  refuse(positions: readonly number[]): void {
    this.#refused = new Set(positions);
  }

  /** Packs all members one after the other, and the end of the archive. */
  *run(): PackSteps {
    try {
      for (const [position, member] of this.#job.members.entries()) yield* this.#member(position, member);
      yield* this.#packer.end();
    } finally {
      for (const frame of this.#frames.splice(0)) this.#close(frame);
    }
  }

  /** Packs a requested member. It existed when the request was accepted, so a missing one is an error. */
  *#member(position: number, { names, name }: PackMember): PackSteps {
    const resolved = runSync(locate(this.#scopeRoot, names, { leaf: 'follow' }));
    try {
      if (this.#job.isGuarded) {
        yield { kind: 'ask', questions: [{ member: position, below: [], real: resolved.names }] };
        if (this.#refused.size > 0) throw new AppError('forbidden');
      }
      if (resolved.stats === null) throw new AppError('not_found');
      if (resolved.stats.isDirectory()) {
        const folder = runSync(enter(this.#scopeRoot, resolved));
        yield* this.#tree(position, folder, { prefix: name, real: resolved.names });
        return;
      }
      const isPacked = yield* this.#file(resolved.folder, resolved.name, name);
      if (!isPacked) throw new AppError('not_found');
    } finally {
      release(this.#scopeRoot, resolved);
    }
  }

  *#tree(
    position: number,
    top: Folder,
    { prefix, real }: { prefix: string; real: readonly string[] },
  ): PackSteps {
    yield* this.#push(top, prefix, real, []);
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      const entry = frame.chunk[frame.position];
      if (entry === undefined) {
        frame.chunk = yield* this.#nextChunk(position, frame);
        frame.position = 0;
        if (frame.chunk.length > 0) continue;
        this.#frames.pop();
        this.#close(frame);
        continue;
      }
      frame.position += 1;
      yield* this.#entry(frame, entry);
    }
  }

  /** Opens `folder` for reading and packs its own entry. Folders that cannot be read are skipped, except the top. */
  *#push(folder: Folder, name: string, real: readonly string[], below: readonly string[]): PackSteps {
    const isRoot = folder === this.#scopeRoot.root;
    let directory: fs.Dir | null = null;
    try {
      directory =
        below.length === 0
          ? fs.opendirSync(toRawPath(folder.base), { bufferSize: chunkEntries })
          : ignoreUnreadable(() => fs.opendirSync(toRawPath(folder.base), { bufferSize: chunkEntries }));
    } finally {
      if (directory === null && !isRoot) closeFolder(folder);
    }
    if (directory === null) return;
    const prefix = name === '' ? '' : `${name}/`;
    this.#frames.push({
      folder,
      isRoot,
      directory,
      hasUndecodable: false,
      prefix,
      real,
      below,
      chunk: [],
      position: 0,
    });
    if (name !== '') yield* this.#packer.folder(name, metadataOf(statFolder(folder)));
  }

  #close({ folder, isRoot, directory }: Frame): void {
    directory.closeSync();
    if (!isRoot) closeFolder(folder);
  }

  /** The next entries of a folder that may be packed; none at its end. */
  *#nextChunk(position: number, frame: Frame): Generator<FullBlock | EntryQuestions, readonly Found[]> {
    for (;;) {
      const found: Found[] = [];
      let isAtEnd = false;
      while (found.length < chunkEntries && !isAtEnd) {
        const dirent = frame.directory.readSync();
        if (dirent === null) isAtEnd = true;
        else if (isNotUtf8(dirent.name)) frame.hasUndecodable = true;
        else this.#find(frame, dirent, found);
      }
      if (isAtEnd && frame.hasUndecodable) {
        frame.hasUndecodable = false;
        for (const dirent of ignoreUnreadable(() => readUndecodable(frame.folder)) ?? [])
          this.#find(frame, dirent, found);
      }
      const allowed = this.#job.isGuarded ? yield* this.#allowed(position, frame, found) : found;
      if (allowed.length > 0 || isAtEnd) return allowed;
    }
  }

  #find({ folder, real }: Frame, dirent: Dirent, found: Found[]): void {
    const { name } = dirent;
    if (isReservedName(name) || isExcludedName(this.#scopeRoot.exclusions, folder, name)) return;
    const type = typeOf(dirent, folder);
    if (type === null) return;
    let target: readonly string[] | null = null;
    if (type === 'link') {
      const resolved = this.#follow([...real, name]);
      if (resolved === null) return;
      release(this.#scopeRoot, resolved);
      target = resolved.names;
    }
    found.push({ name, type, target });
  }

  /** Resolves the link at `names` when its target is a file or folder inside. The caller releases the result. */
  #follow(names: readonly string[]): ResolvedEntry | null {
    const resolved = ignoreUnreadable(() => runSync(locate(this.#scopeRoot, names, { leaf: 'follow' })));
    if (resolved === null) return null;
    if (resolved.stats?.isFile() === true || resolved.stats?.isDirectory() === true) return resolved;
    release(this.#scopeRoot, resolved);
    return null;
  }

  *#allowed(
    member: number,
    { real, below }: Frame,
    found: readonly Found[],
  ): Generator<FullBlock | EntryQuestions, readonly Found[]> {
    if (found.length === 0) return found;
    const questions = found.map(({ name, target }) => ({
      member,
      below: [...below, name],
      real: target ?? [...real, name],
    }));
    yield { kind: 'ask', questions };
    const refused = this.#refused;
    return found.filter((_, position) => !refused.has(position));
  }

  *#entry(frame: Frame, { name, type, target }: Found): PackSteps {
    const { folder, prefix } = frame;
    const packed = prefix + this.#freeName(folder, name);
    if (type === 'file') {
      yield* this.#file(folder, name, packed);
    } else if (type === 'folder') {
      const child = ignoreUnreadable(() => openFolder(this.#scopeRoot.confinement, at(folder, name)).sync());
      if (child !== null) yield* this.#descend(frame, child, name, packed, [...frame.real, name]);
    } else {
      const resolved = this.#follow([...frame.real, name]);
      if (resolved === null) return;
      try {
        // The guard has checked one target; a link that has another target by now is skipped.
        if (resolved.names.join('/') !== target?.join('/')) return;
        if (resolved.stats?.isFile() === true) yield* this.#file(resolved.folder, resolved.name, packed);
        else if (resolved.name !== '') {
          const child = ignoreUnreadable(() => runSync(enter(this.#scopeRoot, resolved)));
          if (child !== null) yield* this.#descend(frame, child, name, packed, resolved.names);
        }
      } finally {
        release(this.#scopeRoot, resolved);
      }
    }
  }

  *#descend(frame: Frame, child: Folder, name: string, packed: string, real: readonly string[]): PackSteps {
    // A link may lead to a folder that is already being packed.
    const mustNotEnter =
      isExcluded(this.#scopeRoot.exclusions, child) ||
      this.#frames.some(({ folder }) => isSame(folder, child));
    if (mustNotEnter) closeFolder(child);
    else yield* this.#push(child, packed, real, [...frame.below, name]);
  }

  #freeName(folder: Folder, name: string): string {
    return freeMemberName(
      name,
      (candidate) => fs.lstatSync(at(folder, candidate), { throwIfNoEntry: false }) !== undefined,
    );
  }

  /** Packs the file `name` of an open folder. Returns false when it does not exist or cannot be read. */
  *#file(folder: Folder, name: string, packed: string): Generator<FullBlock | EntryQuestions, boolean> {
    // Without descriptors and O_NOFOLLOW only the identity shows that the name was replaced by a link.
    const seen =
      this.#scopeRoot.confinement === 'path' ? ignoreUnreadable(() => fs.lstatSync(at(folder, name))) : null;
    for (let attempt = 1; ; attempt++) {
      const descriptor = ignoreUnreadable(() => fs.openSync(at(folder, name), openFlags.read));
      if (descriptor === null) return false;
      try {
        const stats = fs.fstatSync(descriptor);
        if (seen !== null && (seen.ino !== stats.ino || seen.dev !== stats.dev)) return false;
        if (!stats.isFile() || this.#excluded.some(({ dev, ino }) => ino === stats.ino && dev === stats.dev))
          return false;
        const content = new FileContent(descriptor, stats, this.#stop);
        try {
          yield* this.#packer.file(packed, metadataOf(stats), content);
          return true;
        } catch (error) {
          if (!(error instanceof FileChangedError) || error.isBegun || attempt === maxAttempts) throw error;
        }
      } finally {
        fs.closeSync(descriptor);
      }
    }
  }
}

/** An open file, read in order. */
class FileContent implements Content {
  readonly #descriptor: number;
  readonly #stats: Stats;
  readonly #stop: Int32Array;

  constructor(descriptor: number, stats: Stats, stop: Int32Array) {
    this.#descriptor = descriptor;
    this.#stats = stats;
    this.#stop = stop;
  }

  read(buffer: Uint8Array, offset: number, length: number): number {
    if (Atomics.load(this.#stop, 0) !== 0) throw new Error('the packing was stopped');
    return fs.readSync(this.#descriptor, buffer, offset, length, null);
  }

  isSame(): boolean {
    const now = fs.fstatSync(this.#descriptor);
    return now.size === this.#stats.size && now.mtimeMs === this.#stats.mtimeMs;
  }
}
