import { LimitedMap } from '../limited-map.ts';
import type { User } from '@filestead/contract/users';
import { parsePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Clock } from '../clock.ts';
import type { StoredUser, UserRepository } from '../database/database.ts';
import { AppError } from '../errors.ts';
import type { UserContext } from './user-context.ts';
import { type Access, type NarrowedStorage, narrowTo } from '../storage/views/narrow-to.ts';
import type { Storage } from '../storage/storage.ts';
import { type CompiledRules, compileRules } from './rules/compile-rules.ts';
import type { GlobalSettings } from './global-settings.ts';
import { type StorageReference, openScopedStorages } from './scoped-storages.ts';

/** Maximum number of users kept in memory; beyond it all are read again. */
const maxKnownUsers = 1_000;

interface CachedUser {
  readonly stored: StoredUser;
  readonly user: User;
  readonly rules: CompiledRules;
}

/** A user whose files are shown to another user or to a visitor. */
export interface Owner {
  readonly user: User;
  /**
   * Opens the user's storage with the current permissions. Throws `not_found` if the scope does not exist,
   * and `scope_not_granted` while an administrator has to grant it first.
   */
  storage(): Promise<NarrowedStorage>;
}

/** Users with their compiled rules and narrowed storage, read once and cached until they change. */
export interface UserContexts {
  /** Returns the stored user; null if there is none. */
  find(id: number): Promise<StoredUser | null>;
  /**
   * Returns the context of a session and the function that releases its storage; null if its user was
   * deleted. `isSessionValid` returns whether the session is still valid; if omitted, the context is valid as long
   * as the user exists.
   */
  contextOf(
    userId: number,
    sessionId: string,
    isSessionValid?: () => Promise<boolean>,
  ): Promise<{ userContext: UserContext; release: () => void } | null>;
  /**
   * Returns a user without a session, and the function that releases their storage; null if there is no such
   * user.
   */
  ownerOf(userId: number): Promise<{ owner: Owner; release: () => void } | null>;
  /** Must be called after every change of a user. */
  forget(id: number): void;
  /** Must be called when users may have been changed by another process. */
  forgetAll(): void;
}

/** Returns the user without the fields that never leave the server. */
export function publicUser(stored: StoredUser): User {
  const {
    passwordHash: _hash,
    changedAt: _changedAt,
    lastSignInAt: _lastSignInAt,
    awaitsScope: _awaitsScope,
    scopeSince: _scopeSince,
    ...user
  } = stored;
  return user;
}

/**
 * Permissions and rules of the latest state of a user, read at each call, because `refresh` replaces it. A class for the reason given
 * at `RouteCall`.
 */
class LatestAccess implements Access {
  readonly #settings: GlobalSettings;
  readonly #latest: { readonly entry: CachedUser };
  readonly allows: Access['allows'];
  readonly mayDenyBelow: (path: VirtualPath) => boolean;
  readonly refresh: () => Promise<void>;

  constructor(
    whole: Storage,
    settings: GlobalSettings,
    latest: { readonly entry: CachedUser },
    refresh: () => Promise<unknown>,
  ) {
    this.#settings = settings;
    this.#latest = latest;
    this.allows = (path) => {
      const ignoresCase = whole.ignoresCaseAt(path);
      return latest.entry.rules.judge(path, ignoresCase) ?? settings.rules.judge(path, ignoresCase) ?? true;
    };
    this.mayDenyBelow = (path) => latest.entry.rules.mayDenyBelow(path) || settings.rules.mayDenyBelow(path);
    this.refresh = async () => void (await refresh());
  }

  get allowsEverything(): boolean {
    return this.#latest.entry.rules.isEmpty && this.#settings.rules.isEmpty;
  }

  get hideDotfiles(): boolean {
    return this.#latest.entry.user.hideDotfiles;
  }

  get can(): Access['can'] {
    return this.#latest.entry.user.perm;
  }
}

/** Opens the cache of user contexts over a storage that is rooted at the served folder. */
export function openUserContexts(parts: {
  users: UserRepository;
  settings: GlobalSettings;
  storage: Storage;
  /** Reads changes that other processes made to the database. */
  readExternalChanges?: () => Promise<void>;
  /** Defaults to the system clock. */
  clock?: Clock | undefined;
  /** Called after every change of a user. */
  onChange?: () => void;
}): UserContexts {
  const { users, settings, storage, readExternalChanges, onChange, clock } = parts;
  const storages = openScopedStorages(storage, clock);
  const cached = new LimitedMap<number, Promise<CachedUser | null>>(maxKnownUsers);

  const load = async (id: number): Promise<CachedUser | null> => {
    const stored = await users.find(id);
    if (stored === null) return null;
    return { stored, user: publicUser(stored), rules: await compileRules(stored.rules) };
  };
  const cachedUser = (id: number): Promise<CachedUser | null> => {
    let entry = cached.get(id);
    if (entry === undefined) {
      entry = load(id);
      cached.set(id, entry);
      entry.then(
        (found) => found ?? cached.delete(id),
        () => cached.delete(id),
      );
    }
    return entry;
  };
  const open = async (
    userId: number,
    isSessionValid: () => Promise<boolean>,
  ): Promise<{ owner: Owner; refresh: () => Promise<User>; release: () => void } | null> => {
    const entry = await cachedUser(userId);
    if (entry === null) return null;
    const latest = { entry };
    let reference: StorageReference | undefined;
    let storage: Promise<NarrowedStorage> | undefined;
    const refresh = async (): Promise<User> => {
      await readExternalChanges?.();
      const current = (await isSessionValid()) ? await cachedUser(userId) : null;
      if (current === null) throw new AppError('not_signed_in');
      if (current.user.scope !== entry.user.scope) {
        throw new AppError('forbidden', 'the scope of the user has changed since the request began');
      }
      latest.entry = current;
      return current.user;
    };
    const narrow = async (scoped: StorageReference): Promise<NarrowedStorage> => {
      const scopedStorage = await scoped.storage;
      return narrowTo(scopedStorage, new LatestAccess(scopedStorage, settings, latest, refresh));
    };
    return {
      owner: {
        user: entry.user,
        storage() {
          if (storage !== undefined) return storage;
          if (entry.stored.awaitsScope) {
            return Promise.reject(
              new AppError(
                'scope_not_granted',
                'an administrator has to give this account access to files first',
              ),
            );
          }
          reference = storages.acquire(parsePath(entry.user.scope).path);
          storage = narrow(reference);
          return storage;
        },
      },
      refresh,
      release: () => reference?.release(),
    };
  };

  return {
    find: async (id) => (await cachedUser(id))?.stored ?? null,
    ownerOf: (userId) => open(userId, async () => true),
    async contextOf(userId, sessionId, isSessionValid = async () => true) {
      const opened = await open(userId, isSessionValid);
      if (opened === null) return null;
      const { owner, refresh, release } = opened;
      return { userContext: { sessionId, refresh, ...owner }, release };
    },
    forget(id) {
      cached.delete(id);
      onChange?.();
    },
    forgetAll() {
      cached.clear();
    },
  };
}
