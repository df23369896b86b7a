import fs, { type Dirent, type Stats } from 'node:fs';
import { AppError, isAppError } from '../../errors.ts';
import { isErrno } from '../disk/paths/syscalls.ts';
import { isExcluded, isExcludedName } from '../disk/paths/exclusions.ts';
import { at, closeFolder, type Folder, isSame, openFlags, openFolder } from '../disk/paths/folder.ts';
import { type ScopeRoot, enter, release, locate, type ResolvedEntry } from '../disk/paths/locate.ts';
import { isNotUtf8, toRawPath } from '../disk/paths/raw-names.ts';
import { readUnclear } from '../disk/read-folder.ts';
import { runSync } from '../disk/paths/steps.ts';
import { isReservedName } from '../disk/paths/temporary-names.ts';
import type { MemberFacts } from './container.ts';
import { freeMemberName } from './member-names.ts';
import type { PackJob, PackMember, Question } from './pack-protocol.ts';
import { type Content, FileChangedError, type FullBlock, type Packer } from './packer.ts';

/** Names are read and asked about in runs of so many. */
const runEntries = 256;
/** A small file that changes under our eyes is read anew so often. */
const maxAttempts = 3;

/** Somebody has to answer which of the questions are refused; see {@link MemberPacking.refuse}. */
export interface Asking {
  readonly kind: 'ask';
  readonly questions: readonly Question[];
}

type Turns = Generator<FullBlock | Asking>;

/** A folder that is being packed. */
interface Frame {
  readonly folder: Folder;
  /** Of the area, which must not be closed. */
  readonly isRoot: boolean;
  readonly directory: fs.Dir;
  /** Names were met that only their bytes tell; they are read when the others are done. */
  hasUnclear: boolean;
  /** With a slash at its end, or empty at the top of the archive. */
  readonly prefix: string;
  readonly real: readonly string[];
  readonly below: readonly string[];
  run: readonly Found[];
  position: number;
}

/** An entry of a folder, ready to be packed. */
interface Found {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link';
  /** Where a link leads: names from the root of the area. */
  readonly target: readonly string[] | null;
}

const factsOf = (stats: Stats): MemberFacts => ({
  size: stats.size,
  modifiedMs: stats.mtimeMs,
  mode: stats.mode,
});

/** Whether the error says that an entry vanished, was swapped, or must not be read: it is left out, as in a listing. */
const isOutOfReach = (error: unknown): boolean =>
  isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM', 'ENXIO', 'ENODEV', 'ENAMETOOLONG') ||
  isAppError(error, 'external_link', 'not_found', 'not_a_folder', 'forbidden');

/** `null` when the entry is out of reach. */
function reach<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (isOutOfReach(error)) return null;
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
  // Some file systems do not tell the kind with the name.
  const stats = reach(() => fs.lstatSync(at(folder, dirent.name)));
  if (stats === null) return null;
  return stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : null;
}

/**
 * Reads trees and packs them, blocking the thread; stops at full blocks and questions. Walks like `traverse`: every folder
 * is opened inside the one above it, links are resolved by hand, and nothing outside the area is ever opened. Iterative.
 */
export class MemberPacking {
  readonly #job: PackJob;
  readonly #area: ScopeRoot;
  readonly #packer: Packer;
  readonly #frames: Frame[] = [];
  readonly #stop: Int32Array;
  readonly #excluded: readonly { dev: number; ino: number }[];
  #refused: ReadonlySet<number> = new Set();

  constructor(job: PackJob, packer: Packer) {
    this.#job = job;
    this.#area = job.scopeRoot;
    this.#packer = packer;
    this.#stop = new Int32Array(job.stop);
    this.#excluded = job.scopeRoot.exclusions.flatMap(({ self }) =>
      self === null ? [] : [{ dev: Number(self.device), ino: Number(self.inode) }],
    );
  }

  /** Answers the last {@link Asking}: the positions that are refused. */
  refuse(positions: readonly number[]): void {
    this.#refused = new Set(positions);
  }

  /** All members in turn, and the end of the archive. */
  *run(): Turns {
    try {
      for (const [position, member] of this.#job.members.entries()) yield* this.#member(position, member);
      yield* this.#packer.end();
    } finally {
      for (const frame of this.#frames.splice(0)) this.#close(frame);
    }
  }

  /** Packs a requested member, which must exist: it did a moment ago, when the archive was accepted. */
  *#member(position: number, { names, name }: PackMember): Turns {
    const resolved = runSync(locate(this.#area, names, { leaf: 'follow' }));
    try {
      if (this.#job.asks) {
        yield { kind: 'ask', questions: [{ member: position, below: [], real: resolved.names }] };
        if (this.#refused.size > 0) throw new AppError('forbidden');
      }
      if (resolved.stats === null) throw new AppError('not_found');
      if (resolved.stats.isDirectory()) {
        const folder = runSync(enter(this.#area, resolved));
        yield* this.#tree(position, folder, { prefix: name, real: resolved.names });
        return;
      }
      const isPacked = yield* this.#file(resolved.folder, resolved.name, name);
      if (!isPacked) throw new AppError('not_found');
    } finally {
      release(this.#area, resolved);
    }
  }

  *#tree(
    position: number,
    top: Folder,
    { prefix, real }: { prefix: string; real: readonly string[] },
  ): Turns {
    yield* this.#push(top, prefix, real, []);
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      const entry = frame.run[frame.position];
      if (entry === undefined) {
        frame.run = yield* this.#nextRun(position, frame);
        frame.position = 0;
        if (frame.run.length > 0) continue;
        this.#frames.pop();
        this.#close(frame);
        continue;
      }
      frame.position += 1;
      yield* this.#entry(frame, entry);
    }
  }

  /** Opens `folder` for reading and packs its own entry. Folders that cannot be read are left out, except the top. */
  *#push(folder: Folder, name: string, real: readonly string[], below: readonly string[]): Turns {
    const isRoot = folder === this.#area.root;
    let directory: fs.Dir | null = null;
    try {
      directory =
        below.length === 0
          ? fs.opendirSync(toRawPath(folder.base), { bufferSize: runEntries })
          : reach(() => fs.opendirSync(toRawPath(folder.base), { bufferSize: runEntries }));
    } finally {
      if (directory === null && !isRoot) closeFolder(folder);
    }
    if (directory === null) return;
    const prefix = name === '' ? '' : `${name}/`;
    this.#frames.push({
      folder,
      isRoot,
      directory,
      hasUnclear: false,
      prefix,
      real,
      below,
      run: [],
      position: 0,
    });
    if (name !== '') yield* this.#packer.folder(name, factsOf(statFolder(folder)));
  }

  #close({ folder, isRoot, directory }: Frame): void {
    directory.closeSync();
    if (!isRoot) closeFolder(folder);
  }

  /** The next entries of a folder that may be packed; none when the folder is at its end. */
  *#nextRun(position: number, frame: Frame): Generator<FullBlock | Asking, readonly Found[]> {
    for (;;) {
      const found: Found[] = [];
      let isAtEnd = false;
      while (found.length < runEntries && !isAtEnd) {
        const dirent = frame.directory.readSync();
        if (dirent === null) isAtEnd = true;
        else if (isNotUtf8(dirent.name)) frame.hasUnclear = true;
        else this.#find(frame, dirent, found);
      }
      if (isAtEnd && frame.hasUnclear) {
        frame.hasUnclear = false;
        for (const dirent of reach(() => readUnclear(frame.folder)) ?? []) this.#find(frame, dirent, found);
      }
      const allowed = this.#job.asks ? yield* this.#allowed(position, frame, found) : found;
      if (allowed.length > 0 || isAtEnd) return allowed;
    }
  }

  #find({ folder, real }: Frame, dirent: Dirent, found: Found[]): void {
    const { name } = dirent;
    if (isReservedName(name) || isExcludedName(this.#area.exclusions, folder, name)) return;
    const type = typeOf(dirent, folder);
    if (type === null) return;
    let target: readonly string[] | null = null;
    if (type === 'link') {
      const resolved = this.#follow([...real, name]);
      if (resolved === null) return;
      release(this.#area, resolved);
      target = resolved.names;
    }
    found.push({ name, type, target });
  }

  /** Where the link at `names` leads, when that is a file or folder inside. The caller leaves the spot. */
  #follow(names: readonly string[]): ResolvedEntry | null {
    const resolved = reach(() => runSync(locate(this.#area, names, { leaf: 'follow' })));
    if (resolved === null) return null;
    if (resolved.stats?.isFile() === true || resolved.stats?.isDirectory() === true) return resolved;
    release(this.#area, resolved);
    return null;
  }

  *#allowed(
    member: number,
    { real, below }: Frame,
    found: readonly Found[],
  ): Generator<FullBlock | Asking, readonly Found[]> {
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

  *#entry(frame: Frame, { name, type, target }: Found): Turns {
    const { folder, prefix } = frame;
    const packed = prefix + this.#freeName(folder, name);
    if (type === 'file') {
      yield* this.#file(folder, name, packed);
    } else if (type === 'folder') {
      const child = reach(() => openFolder(this.#area.confinement, at(folder, name)).sync());
      if (child !== null) yield* this.#descend(frame, child, name, packed, [...frame.real, name]);
    } else {
      const resolved = this.#follow([...frame.real, name]);
      if (resolved === null) return;
      try {
        // It was asked about one place; a link that leads to another by now is left out.
        if (resolved.names.join('/') !== target?.join('/')) return;
        if (resolved.stats?.isFile() === true) yield* this.#file(resolved.folder, resolved.name, packed);
        else if (resolved.name !== '') {
          const child = reach(() => runSync(enter(this.#area, resolved)));
          if (child !== null) yield* this.#descend(frame, child, name, packed, resolved.names);
        }
      } finally {
        release(this.#area, resolved);
      }
    }
  }

  *#descend(frame: Frame, child: Folder, name: string, packed: string, real: readonly string[]): Turns {
    // A link may lead to a folder that is being packed already.
    const isBarred =
      isExcluded(this.#area.exclusions, child) || this.#frames.some(({ folder }) => isSame(folder, child));
    if (isBarred) closeFolder(child);
    else yield* this.#push(child, packed, real, [...frame.below, name]);
  }

  #freeName(folder: Folder, name: string): string {
    return freeMemberName(
      name,
      (candidate) => fs.lstatSync(at(folder, candidate), { throwIfNoEntry: false }) !== undefined,
    );
  }

  /** Packs the file `name` of an open folder; whether there is one that can be read. */
  *#file(folder: Folder, name: string, packed: string): Generator<FullBlock | Asking, boolean> {
    // Without held folders and without O_NOFOLLOW only this tells that the name was swapped for a link.
    const seen = this.#area.confinement === 'path' ? reach(() => fs.lstatSync(at(folder, name))) : null;
    for (let attempt = 1; ; attempt++) {
      const descriptor = reach(() => fs.openSync(at(folder, name), openFlags.read));
      if (descriptor === null) return false;
      try {
        const stats = fs.fstatSync(descriptor);
        if (seen !== null && (seen.ino !== stats.ino || seen.dev !== stats.dev)) return false;
        if (!stats.isFile() || this.#excluded.some(({ dev, ino }) => ino === stats.ino && dev === stats.dev))
          return false;
        const content = new FileContent(descriptor, stats, this.#stop);
        try {
          yield* this.#packer.file(packed, factsOf(stats), content);
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
