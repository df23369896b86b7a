import fs from 'node:fs';
import path from 'node:path';
import { AppError, isAppError } from '../../errors.ts';
import { syscalls, isErrno } from '../disk/paths/syscalls.ts';
import { closeFolder, type Folder, type Identity, identityOf, isSame } from '../disk/paths/folder.ts';
import { isAtOrBelow, mountAt, readMounts } from '../disk/paths/mount-table.ts';
import type { ServedScopeRoot } from '../disk/open-area.ts';
import { openScopeRoot } from '../disk/open-area.ts';

/** The path of the root is looked at once in this time at the most (milliseconds). */
const intervalMs = 1_000;

/** Why no files are served, as a sentence for clients and for the log. */
const reasons = {
  missing: 'the served folder is not there',
  unreadable: 'the served folder cannot be read',
  unmounted: 'the disk of the served folder is not mounted',
  replaced: 'another folder has taken the place of the served one; it is opened when it stays',
  without_data:
    'another folder has taken the place of the served one and of the data folder in it; start the server again',
} as const;

/** Why no files are served at the moment. */
export type UnavailableReason = keyof typeof reasons;

/** A change that an administrator has to hear of, once. */
export type RootNotice =
  | { readonly kind: 'lost'; readonly reason: UnavailableReason; readonly message: string }
  /** The same folder is there again. */
  | { readonly kind: 'back' }
  /** Another one is served from now on. */
  | { readonly kind: 'reopened' };

export interface RootWatchOptions {
  readonly served: ServedScopeRoot;
  /** A folder that must not be replaced together with the root: the data folder. */
  readonly dataFolder: string;
  readonly onNotice: (notice: RootNotice) => void;
  /** Makes everything below the root be opened anew. */
  readonly reopen: () => Promise<void>;
  /** Milliseconds; the machine's unless given. */
  readonly now?: () => number;
}

/** The folder that is served, as it was when it was opened. */
interface OpenRoot {
  readonly folder: Folder;
  /** The path of the descriptor; null where none is held. */
  readonly place: string | null;
  /** Where its file system was mounted; null where the system does not tell. */
  readonly mountPoint: string | null;
}

/** The state of the folder at the path of the root. */
type Seen =
  { readonly kind: 'same' } | { readonly kind: UnavailableReason; readonly identity: Identity | null };

const placeOf = async ({ base, descriptor }: Folder): Promise<string | null> =>
  descriptor < 0 ? null : syscalls.readlink(base);

async function identityAt(disk: string): Promise<Identity | null> {
  try {
    return identityOf(await fs.promises.stat(disk, { bigint: true }));
  } catch {
    return null;
  }
}

async function mountPointOf(disk: string): Promise<string | null> {
  const mounts = await readMounts();
  if (mounts === null) return null;
  return mountAt(mounts, await syscalls.realpath(disk))?.point ?? null;
}

/**
 * Compares the path of the served folder with the descriptor that is held: a disk may be mounted over it, unmounted, or the
 * folder be replaced. Asked before work on files; the path is looked at once a second at the most.
 */
export class RootWatch {
  readonly #options: RootWatchOptions;
  readonly #path: string;
  readonly #now: () => number;
  readonly #dataIdentity: Identity | null;
  #root: OpenRoot;
  #checkedAt: number;
  #checking: Promise<void> | null = null;
  #loss: UnavailableReason | null = null;
  /** The other folder that was seen at the path the last time, and since when. */
  #candidate: { readonly identity: Identity; readonly since: number } | null = null;
  /** Counts how often another folder was opened. */
  generation = 0;

  private constructor(options: RootWatchOptions, root: OpenRoot, dataIdentity: Identity | null) {
    this.#options = options;
    this.#path = path.resolve(options.served.root);
    this.#now = options.now ?? (() => performance.now());
    this.#root = root;
    this.#dataIdentity = dataIdentity;
    this.#checkedAt = this.#now();
  }

  static async open(options: RootWatchOptions): Promise<RootWatch> {
    return new RootWatch(options, await openRoot(options.served), await identityAt(options.dataFolder));
  }

  close(): void {
    closeFolder(this.#root.folder);
  }

  /** Throws `storage_unavailable` when the root is not what its path leads to; a promise only when that has to be looked at. */
  gate(): Promise<void> | undefined {
    if (this.#now() - this.#checkedAt >= intervalMs) return this.check();
    this.#throwLoss();
    return undefined;
  }

  /** Looks now, whenever that was done last. Throws `storage_unavailable`. */
  async check(): Promise<void> {
    this.#checking ??= this.#examine().finally(() => {
      this.#checkedAt = this.#now();
      this.#checking = null;
    });
    await this.#checking;
    this.#throwLoss();
  }

  /** Has the next {@link gate} look at the path. */
  suspect(): void {
    this.#checkedAt = -Infinity;
  }

  #throwLoss(): void {
    if (this.#loss !== null) throw new AppError('storage_unavailable', reasons[this.#loss]);
  }

  async #examine(): Promise<void> {
    const seen = await this.#look();
    if (seen.kind === 'same') {
      this.#candidate = null;
      if (this.#loss === null) return;
      this.#loss = null;
      return this.#options.onNotice({ kind: 'back' });
    }
    const { identity } = seen;
    if (seen.kind === 'replaced' && this.#isStable(identity) && (await this.#reopen())) return;
    if (seen.kind !== 'replaced') this.#candidate = null;
    if (this.#loss === seen.kind) return;
    this.#loss = seen.kind;
    this.#options.onNotice({ kind: 'lost', reason: seen.kind, message: reasons[seen.kind] });
  }

  /** Whether the path has led to this folder for a while: somebody may be mounting several disks one after the other. */
  #isStable(identity: Identity | null): boolean {
    const before = this.#candidate;
    if (identity === null || before === null || !isSame(identity, before.identity)) {
      this.#candidate = identity && { identity, since: this.#now() };
      return false;
    }
    return this.#now() - before.since >= intervalMs;
  }

  async #look(): Promise<Seen> {
    let identity: Identity;
    try {
      const stats = await fs.promises.stat(this.#path, { bigint: true });
      if (!stats.isDirectory()) return { kind: 'missing', identity: null };
      identity = identityOf(stats);
      const { folder, place } = this.#root;
      // A disk that was unmounted and mounted again is the same one, but the descriptor is no longer below its path.
      if (isSame(identity, folder) && (await placeOf(folder)) === place) return { kind: 'same' };
    } catch (error) {
      return { kind: isErrno(error, 'ENOENT', 'ENOTDIR') ? 'missing' : 'unreadable', identity: null };
    }
    if (await this.#isUncovered(identity)) return { kind: 'unmounted', identity };
    return (await this.#hasData()) ? { kind: 'replaced', identity } : { kind: 'without_data', identity };
  }

  /** Whether the path leads to the folder below a mount point whose disk is gone, and not to another disk or a new folder. */
  async #isUncovered(identity: Identity): Promise<boolean> {
    const { mountPoint, folder } = this.#root;
    const now = await mountPointOf(this.#path);
    if (mountPoint !== null && now !== null) return now !== mountPoint && isAtOrBelow(mountPoint, now);
    const above = await identityAt(path.dirname(this.#path));
    return identity.device !== folder.device && above?.device === identity.device;
  }

  /** Whether the data folder is the one that the server works with. */
  async #hasData(): Promise<boolean> {
    const now = await identityAt(this.#options.dataFolder);
    return this.#dataIdentity === null || (now !== null && isSame(now, this.#dataIdentity));
  }

  /** Opens what the path leads to now; false when that is not possible. */
  async #reopen(): Promise<boolean> {
    let opened: OpenRoot;
    try {
      opened = await openRoot(this.#options.served);
      await this.#options.reopen();
    } catch {
      return false;
    }
    closeFolder(this.#root.folder);
    this.#root = opened;
    this.generation += 1;
    this.#candidate = null;
    this.#loss = null;
    this.#options.onNotice({ kind: 'reopened' });
    return true;
  }
}

async function openRoot(served: ServedScopeRoot): Promise<OpenRoot> {
  const { root: folder } = await openScopeRoot(served);
  try {
    return { folder, place: await placeOf(folder), mountPoint: await mountPointOf(served.root) };
  } catch (error) {
    closeFolder(folder);
    throw error;
  }
}

/** Whether `error` says that the folder of some work is out of sight. */
export const isUnavailable = (error: unknown): boolean => isAppError(error, 'storage_unavailable');
