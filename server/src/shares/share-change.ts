import { joinPaths, parsePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { UserContext } from '../access/user-context.ts';
import type { Owner } from '../access/user-contexts.ts';
import type { StoredShare } from '../database/stored-share.ts';
import type { ShareChange, ShareState, StoredStep } from '../database/operation-repository.ts';
import { AppError, isAppError } from '../errors.ts';
import type { Entry } from '../storage/storage.ts';
import { type ShareDependencies, lastRemovedExpiry } from './dependencies.ts';

/** A share that was deleted or changed, as the history logs it. */
export interface LoggedShareChange {
  readonly kind: 'unshare' | 'reshare';
  /** The entry, in the served folder. */
  readonly path: VirtualPath;
  /** The shared folder; null for a file, and for a folder that no longer exists. */
  readonly folder: Entry | null;
  readonly share: ShareChange;
}

/** Returns a share without its path, which the log records as a place. */
const stateOf = ({ path: _path, ...state }: StoredShare): ShareState => state;

const statOf = async (owner: Owner, path: VirtualPath): Promise<Entry | null> =>
  (await owner.storage()).stat(path);

/** Returns the change of a share for the log; null if its owner no longer exists. */
export async function shareChange(
  { userContexts }: Pick<ShareDependencies, 'userContexts'>,
  before: StoredShare,
  after: StoredShare | null,
): Promise<LoggedShareChange | null> {
  const opened = await userContexts.ownerOf(before.userId);
  if (opened === null) return null;
  try {
    const { owner } = opened;
    // A share can be deleted although its folder is missing or its disk is not connected.
    const entry = before.isFolder ? await statOf(owner, before.path).catch(() => null) : null;
    return {
      kind: after === null ? 'unshare' : 'reshare',
      path: joinPaths(parsePath(owner.user.scope).path, before.path),
      folder: entry?.kind === 'folder' ? entry : null,
      share: { before: stateOf(before), after: after && stateOf(after) },
    };
  } finally {
    opened.release();
  }
}

/** The dependencies of {@link undoShareChange}. */
export type UndoShareDependencies = Pick<ShareDependencies, 'shares' | 'userContexts' | 'maxPerUser' | 'now'>;

/**
 * Gives a share the state that it had before a step of the log, and returns this change; with `isCheck` nothing changes. Throws
 * `changed_since` if it is not as the step left it, `not_found` if its entry or its owner no longer exists, `forbidden`,
 * `too_many_shares`.
 */
export async function undoShareChange(
  dependencies: UndoShareDependencies,
  { user }: UserContext,
  step: StoredStep,
  { isCheck }: { readonly isCheck: boolean },
): Promise<ShareChange> {
  const { shares, now } = dependencies;
  const { before, after } = step.share ?? { before: null, after: null };
  const known = before ?? after;
  if (known === null) throw new AppError('not_found');
  const isPermitted = user.perm.share && (before === null || after !== null || user.perm.download);
  if (!isPermitted || (known.userId !== user.id && !user.perm.admin)) throw new AppError('forbidden');
  const current = await shares.find(known.hash, lastRemovedExpiry(now()));
  if (after === null) {
    if (current !== null) throw new AppError('changed_since');
    await restoreShare(dependencies, known, step, isCheck);
    return { before: null, after: known };
  }
  if (current === null) throw new AppError('not_found');
  if (current.expiresAt !== after.expiresAt || current.passwordHash !== after.passwordHash)
    throw new AppError('changed_since');
  if (before === null) {
    if (!isCheck) await shares.remove(known.hash);
    return { before: stateOf(current), after: null };
  }
  const { expiresAt, passwordHash } = before;
  if (!isCheck) await shares.update(known.hash, { expiresAt, passwordHash });
  return { before: stateOf(current), after: { ...stateOf(current), expiresAt, passwordHash } };
}

/** Adds a deleted share again, with its address, for the same folder or for the file that has its name now. */
async function restoreShare(
  { shares, userContexts, maxPerUser, now }: UndoShareDependencies,
  state: ShareState,
  { path: place, left }: StoredStep,
  isCheck: boolean,
): Promise<void> {
  const opened = await userContexts.ownerOf(state.userId);
  // An expired share would be removed at once.
  const isOver = state.expiresAt !== 0 && state.expiresAt <= lastRemovedExpiry(now());
  if (opened === null || isOver) throw new AppError('not_found');
  try {
    const { owner } = opened;
    const path = (await owner.storage()).fromPlace(place);
    const entry = path === null ? null : await statOf(owner, path);
    const isSame =
      entry !== null &&
      (entry.kind === 'folder') === state.isFolder &&
      (left?.inode == null || entry.inode === undefined || String(entry.inode) === left.inode);
    if (path === null || !isSame) throw new AppError('not_found');
    if (isCheck) return;
    const outcome = await shares.create({ ...state, path }, { maxPerUser, scope: owner.user.scope });
    if (outcome === 'other_scope') throw new AppError('not_found');
    if (outcome === 'too_many') throw new AppError('too_many_shares');
  } catch (error) {
    // The scope of the owner is missing or denied.
    throw isAppError(error) && error.code !== 'too_many_shares' ? new AppError('not_found') : error;
  } finally {
    opened.release();
  }
}
