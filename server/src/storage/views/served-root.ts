import fs from 'node:fs';
import path from 'node:path';
import { AppError, isAppError } from '../../errors.ts';
import { syscalls, isErrno } from '../disk/paths/syscalls.ts';
import { closeFolder, type Folder, type Identity, identityOf, isSame } from '../disk/paths/folder.ts';
import { isAtOrBelow, mountAt, readMounts } from '../disk/paths/mount-table.ts';
import { openScopeRoot, type ServedScopeRoot } from '../disk/open-scope-root.ts';

/** The minimum time between two checks of the root's path (milliseconds). */
const intervalMs = 1_000;

/** The reasons for not serving files, as texts for clients and for the log. */
const reasons = {
  missing: 'the served folder does not exist',
  unreadable: 'the served folder cannot be read',
  unmounted: 'the disk of the served folder is not mounted',
  replaced: 'another folder has replaced the served one; it is opened if it stays',
  without_data: 'another folder has replaced the served one and the data folder in it; restart the server',
} as const;

/** The reason for not serving files at the moment. */
export type UnavailableReason = keyof typeof reasons;

/** A change of the root, reported once to the administrator. */
export type RootNotice =
  | { readonly kind: 'lost'; readonly reason: UnavailableReason; readonly message: string }
  /** The same folder is available again. */
  | { readonly kind: 'back' }
  /** Another folder is served from now on. */
  | { readonly kind: 'reopened' };

/** Options of {@link RootWatch.open}. */
export interface RootWatchOptions {
  readonly served: ServedScopeRoot;
  /** A folder that must not be replaced together with the root: the data folder. */
  readonly dataFolder: string;
  readonly onNotice: (notice: RootNotice) => void;
  /** Reopens everything below the root. */
  readonly reopen: () => Promise<void>;
  /** The clock in milliseconds; defaults to `performance.now`. */
  readonly now?: () => number;
}

/** The served folder, as it was when it was opened. */
interface OpenRoot {
  readonly folder: Folder;
  /** The path to which the descriptor leads; null without one. */
  readonly descriptorPath: string | null;
  /** The mount point of its file system; null when the system does not report it. */
  readonly mountPoint: string | null;
}

/** The folder that is now at the root's path, compared with the one that is open. */
type RootState =
  | { readonly kind: 'same' }
  | { readonly kind: UnavailableReason; readonly identity: Identity | null };

const descriptorPathOf = async ({ base, descriptor }: Folder): Promise<string | null> =>
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
 * Compares the path of the served folder with the open descriptor: a disk may be mounted over the folder or unmounted, or the
 * folder may be replaced. Checked before every call on files, but at most once a second.
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
  /** The other folder that was found at the path by the last checks, and the time of the first of them. */
  #candidate: { readonly identity: Identity; readonly since: number } | null = null;
  /** The number of times that another folder was opened. */
  generation = 0;

  private constructor(options: RootWatchOptions, root: OpenRoot, dataIdentity: Identity | null) {
    this.#options = options;
    this.#path = path.resolve(options.served.root);
    this.#now = options.now ?? (() => performance.now());
    this.#root = root;
    this.#dataIdentity = dataIdentity;
    this.#checkedAt = this.#now();
  }

  /** Opens the served folder and starts to watch it. Throws `not_found` or `not_a_folder` when there is none. */
  static async open(options: RootWatchOptions): Promise<RootWatch> {
    return new RootWatch(options, await openRoot(options.served), await identityAt(options.dataFolder));
  }

  /** Closes the folder. */
  close(): void {
    closeFolder(this.#root.folder);
  }

  /** Throws `storage_unavailable` unless the path leads to the open folder. Returns a promise only when the path has to be checked. */
  assertAvailable(): Promise<void> | undefined {
    if (this.#now() - this.#checkedAt >= intervalMs) return this.check();
    this.#assertNotLost();
    return undefined;
  }

  /** Checks the path now, regardless of the last check. Throws `storage_unavailable`. */
  async check(): Promise<void> {
    this.#checking ??= this.#examine().finally(() => {
      this.#checkedAt = this.#now();
      this.#checking = null;
    });
    await this.#checking;
    this.#assertNotLost();
  }

  /** Makes the next {@link assertAvailable} check the path. */
  expireCheck(): void {
    this.#checkedAt = -Infinity;
  }

  #assertNotLost(): void {
    if (this.#loss !== null) throw new AppError('storage_unavailable', reasons[this.#loss]);
  }

  async #examine(): Promise<void> {
    const state = await this.#readState();
    if (state.kind === 'same') {
      this.#candidate = null;
      if (this.#loss === null) return;
      this.#loss = null;
      return this.#options.onNotice({ kind: 'back' });
    }
    const { identity } = state;
    if (state.kind === 'replaced' && this.#isStable(identity) && (await this.#reopen())) return;
    if (state.kind !== 'replaced') this.#candidate = null;
    if (this.#loss === state.kind) return;
    this.#loss = state.kind;
    this.#options.onNotice({ kind: 'lost', reason: state.kind, message: reasons[state.kind] });
  }

  /** Whether the path has led to this folder since the last check: an administrator may be mounting several disks in sequence. */
  #isStable(identity: Identity | null): boolean {
    const before = this.#candidate;
    if (identity === null || before === null || !isSame(identity, before.identity)) {
      this.#candidate = identity && { identity, since: this.#now() };
      return false;
    }
    return this.#now() - before.since >= intervalMs;
  }

  async #readState(): Promise<RootState> {
    let identity: Identity;
    try {
      const stats = await fs.promises.stat(this.#path, { bigint: true });
      if (!stats.isDirectory()) return { kind: 'missing', identity: null };
      identity = identityOf(stats);
      const { folder, descriptorPath } = this.#root;
      // After an unmount and a new mount the folder is the same, but the descriptor is no longer below its path.
      if (isSame(identity, folder) && (await descriptorPathOf(folder)) === descriptorPath)
        return { kind: 'same' };
    } catch (error) {
      return { kind: isErrno(error, 'ENOENT', 'ENOTDIR') ? 'missing' : 'unreadable', identity: null };
    }
    if (await this.#isUncovered(identity)) return { kind: 'unmounted', identity };
    return (await this.#hasData()) ? { kind: 'replaced', identity } : { kind: 'without_data', identity };
  }

  /** Whether the path leads to the empty mount point of an unmounted disk, and not to another disk or a new folder. */
  async #isUncovered(identity: Identity): Promise<boolean> {
    const { mountPoint, folder } = this.#root;
    const now = await mountPointOf(this.#path);
    if (mountPoint !== null && now !== null) return now !== mountPoint && isAtOrBelow(mountPoint, now);
    const above = await identityAt(path.dirname(this.#path));
    return identity.device !== folder.device && above?.device === identity.device;
  }

  /** Whether the data folder is still the one that the server uses. */
  async #hasData(): Promise<boolean> {
    const now = await identityAt(this.#options.dataFolder);
    return this.#dataIdentity === null || (now !== null && isSame(now, this.#dataIdentity));
  }

  /** Opens the folder that is now at the path; false when that is not possible. */
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
    return {
      folder,
      descriptorPath: await descriptorPathOf(folder),
      mountPoint: await mountPointOf(served.root),
    };
  } catch (error) {
    closeFolder(folder);
    throw error;
  }
}

/** Whether `error` means that the served folder is not available. */
export const isUnavailable = (error: unknown): boolean => isAppError(error, 'storage_unavailable');
