import type { Dirent } from 'node:fs';
import { isErrno } from '../disk/paths/syscalls.ts';
import { exclusionTest, isExcluded } from '../disk/paths/exclusions.ts';
import { at, closeFolder, type Folder, isSame, openFolder } from '../disk/paths/folder.ts';
import { readEntries } from '../disk/read-folder.ts';
import { isReservedName } from '../disk/paths/temporary-names.ts';
import type { FindJob, ListingMessage } from './listing-protocol.ts';
import { createNameTest } from './name-pattern.ts';

/** The approximate duration of one slice, after which other jobs run; longer only for a huge folder. */
const sliceMs = 8;
/** The maximum number of findings per message. */
const maxPerMessage = 2048;

interface Frame {
  readonly folder: Folder;
  /** The path from the top, with a slash at its end; empty for the top. */
  readonly prefix: string;
  /** In byte order, as the sorted scan of the operating system returns them. */
  readonly entries: readonly Dirent[];
  readonly isExcluded: (name: string) => boolean;
  next: number;
}

/** The walk over the names of one tree. Keeps the folders between the top and the current one open. */
class NameWalk {
  readonly #job: FindJob;
  readonly #frames: Frame[] = [];
  readonly #matches: (name: string) => boolean;
  #found: string[] = [];
  #folders: number[] = [];

  constructor(job: FindJob) {
    this.#job = job;
    this.#matches = createNameTest(job.pattern);
  }

  *run(): Generator<ListingMessage | null> {
    this.#push(this.#job.folder, '', readEntries(this.#job.folder));
    let sliceEnd = performance.now() + sliceMs;
    let steps = 0;
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      const entry = frame.entries[frame.next++];
      if (entry === undefined) this.#pop();
      else this.#visit(frame, entry);
      const isFull = this.#found.length >= maxPerMessage;
      if (isFull || ((++steps & 0x3f) === 0 && performance.now() > sliceEnd)) {
        yield this.#message();
        sliceEnd = performance.now() + sliceMs;
      }
    }
    const last = this.#message();
    if (last !== null) yield last;
  }

  release(): void {
    while (this.#frames.length > 0) this.#pop();
  }

  #message(): ListingMessage | null {
    if (this.#found.length === 0) return null;
    const message: ListingMessage = {
      id: this.#job.id,
      kind: 'found',
      text: this.#found.join('\0'),
      folders: Uint8Array.from(this.#folders),
    };
    this.#found = [];
    this.#folders = [];
    return message;
  }

  #visit(frame: Frame, entry: Dirent): void {
    const { name } = entry;
    if (isReservedName(name) || frame.isExcluded(name)) return;
    const isFolder = entry.isDirectory();
    const inner = isFolder ? this.#open(frame.folder, name) : null;
    if (isFolder && inner === null) return;
    if (this.#matches(name)) {
      this.#found.push(frame.prefix + name);
      this.#folders.push(isFolder ? 1 : 0);
    }
    if (inner === null) return;
    const entries = readNames(inner);
    if (entries.length === 0) closeFolder(inner);
    else this.#push(inner, `${frame.prefix}${name}/`, entries);
  }

  #push(folder: Folder, prefix: string, entries: readonly Dirent[]): void {
    const isExcludedHere = exclusionTest(this.#job.scopeRoot.exclusions, folder);
    this.#frames.push({ folder, prefix, entries, isExcluded: isExcludedHere, next: 0 });
  }

  /** Closes the current folder. The caller closes the top. */
  #pop(): void {
    const frame = this.#frames.pop();
    if (frame !== undefined && frame.folder !== this.#job.folder) closeFolder(frame.folder);
  }

  /** Opens the folder without following a link; null when it vanished, is excluded, or is one of its own ancestors. */
  #open(parent: Folder, name: string): Folder | null {
    let folder: Folder;
    try {
      folder = openFolder(this.#job.scopeRoot.confinement, at(parent, name)).sync();
    } catch (error) {
      if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM', 'ENAMETOOLONG')) return null;
      throw error;
    }
    const mustNotEnter =
      isExcluded(this.#job.scopeRoot.exclusions, folder) ||
      this.#frames.some((frame) => isSame(frame.folder, folder));
    if (!mustNotEnter) return folder;
    closeFolder(folder);
    return null;
  }
}

/** The names of a folder; none when it cannot be read. */
function readNames(folder: Folder): Dirent[] {
  try {
    return readEntries(folder);
  } catch (error) {
    if (isErrno(error, 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'EIO')) return [];
    throw error;
  }
}

/** Finds names below the folder of `job` without reading any metadata. Null is a slice without findings. */
export function* findNames(job: FindJob): Generator<ListingMessage | null> {
  const walk = new NameWalk(job);
  try {
    yield* walk.run();
  } finally {
    walk.release();
  }
}
