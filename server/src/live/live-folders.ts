import type { ListingRow } from '@filestead/contract/files';
import {
  isAtOrBelow,
  joinPaths,
  parsePath,
  relativeTo,
  segmentsOf,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import type { User } from '@filestead/contract/users';
import type { Rule } from '@filestead/contract/rules';
import type { FileChange } from '../access/file-events.ts';
import type { UserContexts } from '../access/user-contexts.ts';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Entry } from '../storage/storage.ts';
import { LiveFolder, type OpenedStorage } from './live-folder.ts';
import { visibilityKeyOf } from './visibility-key.ts';

/**
 * The time for which a folder is still observed after its last window was closed, so that a window that reconnects misses
 * nothing.
 */
const idleMs = 60_000;
/** Maximum number of folders that are observed without a window. */
const maxIdleFolders = 256;

/** An open folder with the users who have opened it. */
interface Shared {
  readonly folder: LiveFolder;
  readonly key: string;
  /** The path in the served root, in which symbolic links are not resolved. */
  readonly place: VirtualPath;
  readonly userIds: Set<number>;
  references: number;
  cancelIdle: () => void;
}

/** A reference to an open folder. */
export interface FolderReference {
  readonly folder: LiveFolder;
  /** Must be called once. */
  release(): void;
}

/** The parts of {@link LiveFolders}. */
export interface LiveFoldersParts {
  readonly userContexts: Pick<UserContexts, 'ownerOf'>;
  readonly globalRules: () => readonly Rule[];
  readonly rowOf: (entry: Entry) => ListingRow;
  /** Called with a folder of the served root whose entries, or those with these names, may have been changed by other programs. */
  readonly onOutsideChange?: (folder: VirtualPath, names: readonly string[] | null) => void;
  readonly clock: Clock;
}

/** The open folders of all windows. Users who see the same entries of a folder share one {@link LiveFolder}. */
export class LiveFolders {
  readonly #parts: LiveFoldersParts;
  readonly #shared = new Map<string, Shared>();
  /** Those without references, the oldest first. */
  readonly #idle = new Set<Shared>();

  constructor(parts: LiveFoldersParts) {
    this.#parts = parts;
  }

  /** Returns a string that is the same for users who see the same entries. */
  visibilityKeyOf(user: User): string {
    return visibilityKeyOf(user, this.#parts.globalRules());
  }

  /** Opens a folder for a user as stored now. Throws the errors of `Storage.observe`. */
  async acquire(user: User, visibilityKey: string, path: VirtualPath): Promise<FolderReference> {
    const key = `${visibilityKey}\0${path}`;
    const shared = this.#shared.get(key) ?? this.#create(key, user, visibilityKey, path);
    shared.userIds.add(user.id);
    shared.references += 1;
    shared.cancelIdle();
    this.#idle.delete(shared);
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      this.#release(shared);
    };
    try {
      await shared.folder.start();
      return { folder: shared.folder, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Records a change that was made through this server, before the disk reports it. */
  addChange({ event, userContext, path, destination }: FileChange): void {
    if (this.#shared.size === 0) return;
    const scope = parsePath(userContext.user.scope).path;
    const from = joinPaths(scope, path);
    const to = destination === null ? null : joinPaths(scope, destination);
    for (const { folder, place } of this.#shared.values()) {
      const names = [from, to].map((changed) => nameIn(place, changed)).filter((name) => name !== null);
      const [first, second] = names;
      if (first === undefined) {
        const isGone = event !== 'save' && event !== 'upload' && isAtOrBelow(place, from);
        // The folder itself, or one above it, was moved, removed, or replaced.
        if (isGone || (to !== null && isAtOrBelow(place, to))) folder.restart();
        continue;
      }
      const isRenamed = event === 'rename' && second !== undefined && first !== second;
      folder.addChange({ names, renamed: isRenamed ? [[first, second]] : [] });
    }
  }

  /** Ends all observations. */
  close(): void {
    for (const shared of this.#shared.values()) this.#drop(shared);
  }

  #create(key: string, user: User, visibilityKey: string, path: VirtualPath): Shared {
    const { clock, rowOf, onOutsideChange } = this.#parts;
    const userIds = new Set<number>();
    const place = joinPaths(parsePath(user.scope).path, path);
    const onOutside = (names: readonly string[] | null): void => onOutsideChange?.(place, names);
    const shared: Shared = {
      folder: new LiveFolder(path, {
        open: () => this.#open(userIds, visibilityKey),
        clock,
        rowOf,
        onOutside,
      }),
      key,
      place,
      userIds,
      references: 0,
      cancelIdle: () => undefined,
    };
    this.#shared.set(key, shared);
    return shared;
  }

  #release(shared: Shared): void {
    shared.references -= 1;
    if (shared.references > 0 || this.#shared.get(shared.key) !== shared) return;
    shared.cancelIdle = this.#parts.clock.after(idleMs, () => this.#drop(shared));
    this.#idle.add(shared);
    const [oldest] = this.#idle;
    if (this.#idle.size > maxIdleFolders && oldest !== undefined) this.#drop(oldest);
  }

  #drop(shared: Shared): void {
    shared.cancelIdle();
    this.#idle.delete(shared);
    this.#shared.delete(shared.key);
    shared.folder.close();
  }

  /** Opens the storage of one of `userIds` whose visibility key is still the same. Throws `forbidden` when there is none. */
  async #open(userIds: Set<number>, visibilityKey: string): Promise<OpenedStorage> {
    for (const userId of userIds) {
      const opened = await this.#parts.userContexts.ownerOf(userId);
      if (opened === null) continue;
      const { owner, release } = opened;
      if (this.visibilityKeyOf(owner.user) !== visibilityKey) {
        release();
        continue;
      }
      try {
        return { storage: await owner.storage(), release };
      } catch (error) {
        release();
        throw error;
      }
    }
    throw new AppError('forbidden');
  }
}

/** The name of the entry of the folder `place` that is `changed` or contains it; null when it is elsewhere. */
function nameIn(place: VirtualPath, changed: VirtualPath | null): string | null {
  if (changed === null || !isAtOrBelow(changed, place)) return null;
  return segmentsOf(relativeTo(changed, place))[0] ?? null;
}
