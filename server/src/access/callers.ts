import type { User } from '@filestead/contract/users';
import { parsePath } from '@filestead/contract/virtual-path';
import type { StoredUser, UserRepository } from '../database/database.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller } from '../http/caller.ts';
import { narrowTo } from '../storage/narrow-to.ts';
import type { Storage } from '../storage/storage.ts';
import { type CompiledRules, compileRules } from './compile-rules.ts';
import type { GlobalSettings } from './global-settings.ts';
import { type HeldStorage, openScopedStorages } from './scoped-storages.ts';

/** Most users that are kept in memory; beyond it all are read again. */
const maxKnownUsers = 1_000;

interface Known {
  readonly stored: StoredUser;
  readonly user: User;
  readonly rules: CompiledRules;
}

/** A user whose files somebody else is shown. */
export interface Owner {
  readonly user: User;
  /**
   * What the user may reach as of now. Throws `not_found` when the user's scope does not exist, and `scope_not_granted` while
   * an administrator has to grant it first.
   */
  storage(): Promise<Storage>;
}

/** Users as callers: read once, kept until they change, with their rules compiled and their storage narrowed. */
export interface Callers {
  /** The user as stored now; null when there is none. */
  find(id: number): Promise<StoredUser | null>;
  /** The caller of a session, and how to give back what it opens; null when its user is gone. */
  callerOf(userId: number, sessionId: string): Promise<{ caller: Caller; release: () => void } | null>;
  /** The user as stored now without a session, and how to give back what it opens; null when there is none. */
  ownerOf(userId: number): Promise<{ owner: Owner; release: () => void } | null>;
  /** To be called after every change of a user. */
  forget(id: number): void;
  /** To be called when users may have been changed by somebody else. */
  forgetAll(): void;
}

/** The user without what never leaves the server. */
export function publicUser(stored: StoredUser): User {
  const {
    passwordHash: _hash,
    changedAt: _changedAt,
    lastSignInAt: _lastSignInAt,
    awaitsScope: _awaitsScope,
    ...user
  } = stored;
  return user;
}

/** Opens the callers over a storage that is rooted at the served folder. */
export function openCallers(parts: {
  users: UserRepository;
  settings: GlobalSettings;
  storage: Storage;
}): Callers {
  const { users, settings, storage } = parts;
  const storages = openScopedStorages(storage);
  const known = new Map<number, Promise<Known | null>>();

  const load = async (id: number): Promise<Known | null> => {
    const stored = await users.find(id);
    if (stored === null) return null;
    return { stored, user: publicUser(stored), rules: await compileRules(stored.rules) };
  };
  const knownUser = (id: number): Promise<Known | null> => {
    let entry = known.get(id);
    if (entry === undefined) {
      if (known.size >= maxKnownUsers) known.clear();
      entry = load(id);
      known.set(id, entry);
      entry.then(
        (found) => found ?? known.delete(id),
        () => known.delete(id),
      );
    }
    return entry;
  };
  const narrow = async ({ user, rules }: Known, held: HeldStorage): Promise<Storage> => {
    const whole = await held.storage;
    return narrowTo(whole, {
      allows(path) {
        const ignoresCase = whole.ignoresCaseAt(path);
        return rules.judge(path, ignoresCase) ?? settings.rules.judge(path, ignoresCase) ?? true;
      },
      allowsEverything: rules.isEmpty && settings.rules.isEmpty,
      hideDotfiles: user.hideDotfiles,
      can: user.perm,
    });
  };

  const ownerOf: Callers['ownerOf'] = async (userId) => {
    const entry = await knownUser(userId);
    if (entry === null) return null;
    let held: HeldStorage | undefined;
    let storage: Promise<Storage> | undefined;
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
          held = storages.hold(parsePath(entry.user.scope).path);
          storage = narrow(entry, held);
          return storage;
        },
      },
      release: () => held?.release(),
    };
  };

  return {
    find: async (id) => (await knownUser(id))?.stored ?? null,
    ownerOf,
    async callerOf(userId, sessionId) {
      const opened = await ownerOf(userId);
      return opened && { caller: { ...opened.owner, sessionId }, release: opened.release };
    },
    forget(id) {
      known.delete(id);
    },
    forgetAll() {
      known.clear();
    },
  };
}
