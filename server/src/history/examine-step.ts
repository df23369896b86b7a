import type { ErrorCode } from '@filestead/contract/errors';
import { parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { UserContext } from '../access/user-context.ts';
import type { LeftState, StoredStep } from '../database/operation-repository.ts';
import type { PlacedKept } from '../database/trash-repository.ts';
import { AppError, isAppError } from '../errors.ts';
import type { Entry, Storage } from '../storage/storage.ts';
import type { NarrowedStorage } from '../storage/views/narrow-to.ts';
import { hasSameContent, isSameEntry } from './left-state.ts';

/** Entries of a folder that are examined for later changes; a larger folder counts as changed. */
const maxExamined = 100_000;

/** The parts of the server that {@link examineStep} uses. */
export interface ExamineStep {
  /** Returns a deleted or replaced entry that is still in its store and not being purged; null if there is none. */
  readonly findKept: (id: string) => Promise<PlacedKept | null>;
  /** Whether a deletion forever of this entry can still be cancelled by the user. */
  readonly canCancelPurge: (id: string, userId: number) => Promise<boolean>;
  /** Throws the reason why the change of a share cannot be undone by the user. */
  readonly assertShareUndoable: (userContext: UserContext, step: StoredStep) => Promise<void>;
  /** Whether the trash is on, so that created entries can be moved there. */
  readonly keepsDeleted: boolean;
}

/** A storage that decides which entries its user may open by their addresses. */
type UserStorage = Pick<NarrowedStorage, 'isAllowed'> & Storage;

/**
 * Returns the path of a place in the storage of a user. Throws `not_found` if it is outside or denied. An operation is undone by its
 * id, so entries that are only allowed below a denied folder are as accessible as by their addresses.
 */
export function pathOf(storage: UserStorage, place: VirtualPath): VirtualPath {
  const path = allowedPath(storage, place);
  if (path === null) throw new AppError('not_found');
  return path;
}

/** Returns the path of a place in the storage of a user; null if it is outside or denied, or the root. */
export function allowedPath(storage: UserStorage, place: VirtualPath): VirtualPath | null {
  const path = storage.fromPlace(place);
  return path === null || path === '/' || !storage.isAllowed(path) ? null : path;
}

/** Throws `changed_since` unless the entry at `path` is unchanged since the operation. */
export async function assertUnchanged(
  storage: Storage,
  path: VirtualPath,
  left: LeftState,
  signal?: AbortSignal,
): Promise<Entry> {
  const entry = await storage.stat(path);
  if (entry === null || !isSameEntry(entry, left)) throw new AppError('changed_since');
  if (entry.kind === 'folder') await assertFolderUnchanged(storage, path, entry, left, signal);
  else if (!hasSameContent(entry, left)) throw new AppError('changed_since');
  return entry;
}

/**
 * Throws `changed_since` if an entry of a folder was modified after the operation changed the folder. An empty folder counts as
 * unchanged, even if it contained entries in between. Both times were set by the clock of the file system.
 */
async function assertFolderUnchanged(
  storage: Storage,
  path: VirtualPath,
  folder: Entry,
  { changedNs, modifiedNs }: LeftState,
  signal: AbortSignal | undefined,
): Promise<void> {
  const latest = BigInt(changedNs ?? modifiedNs);
  let examined = 0;
  for await (const { entry } of storage.walk(path, { signal })) {
    if (examined === 0 && folder.modifiedNs > latest) throw new AppError('changed_since');
    if (++examined > maxExamined || entry.modifiedNs > latest) throw new AppError('changed_since');
  }
}

/** Throws `changed_since` unless the entry at `path` is the one that was moved there. Its content may have changed. */
export async function assertMovedHere(storage: Storage, path: VirtualPath, left: LeftState): Promise<Entry> {
  const entry = await storage.stat(path);
  if (entry === null || !isSameEntry(entry, left)) throw new AppError('changed_since');
  return entry;
}

/** The places of steps that are undone before an earlier one, so that their entries will be as that one left them. */
export class UndonePlaces {
  readonly #places = new Set<VirtualPath>();
  /** The places that are empty afterwards: of created and moved entries. */
  readonly #leaving = new Set<VirtualPath>();
  /** The folders above these. */
  readonly #left = new Set<VirtualPath>();

  add({ act, path, from, keptId }: StoredStep): void {
    this.#places.add(path);
    if (from !== null) this.#places.add(from);
    const isLeaving = act === 'created' || act === 'parent' || (act === 'moved' && keptId === null);
    if (!isLeaving) return;
    this.#leaving.add(path);
    for (let folder = parentOf(path); !this.#left.has(folder); folder = parentOf(folder))
      this.#left.add(folder);
  }

  /** Whether the state of `place` depends on one of the steps. */
  affect(place: VirtualPath): boolean {
    return isInOneOf(place, this.#places);
  }

  /** Whether entries leave the folder `place`. */
  leave(place: VirtualPath): boolean {
    return this.#left.has(place);
  }

  /** Whether the entry at `place` is gone afterwards. */
  remove(place: VirtualPath): boolean {
    return isInOneOf(place, this.#leaving);
  }
}

/** Whether one of `places` is `path` or a folder above it. */
function isInOneOf(path: VirtualPath, places: ReadonlySet<VirtualPath>): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (places.has(path.slice(0, end) as VirtualPath)) return true;
  }
  return false;
}

/**
 * Throws `changed_since` unless the folder at `path` is the one that an operation has created, and will be empty when the later
 * steps are undone: then it can be undone too.
 */
async function assertEmptiedFolder(
  storage: Storage,
  path: VirtualPath,
  left: LeftState,
  undone: UndonePlaces,
): Promise<void> {
  const folder = await storage.stat(path);
  if (folder === null || !isSameEntry(folder, left)) throw new AppError('changed_since');
  let examined = 0;
  for await (const { path: inside } of storage.walk(path)) {
    if (++examined > maxExamined || !undone.remove(storage.toPlace(inside)))
      throw new AppError('changed_since');
  }
}

/**
 * Returns null if a step can be undone, otherwise the error code of the reason. The steps of `undone` are undone first.
 */
export async function examineStep(
  parts: ExamineStep,
  user: {
    readonly userContext: UserContext;
    readonly storage: UserStorage;
  },
  step: StoredStep,
  undone: UndonePlaces,
): Promise<ErrorCode | null> {
  try {
    await assertUndoable(parts, user, step, undone);
    return null;
  } catch (error) {
    if (isAppError(error)) return error.code;
    throw error;
  }
}

async function assertUndoable(
  { findKept, canCancelPurge, assertShareUndoable, keepsDeleted }: ExamineStep,
  { userContext, storage }: Parameters<typeof examineStep>[1],
  step: StoredStep,
  undone: UndonePlaces,
): Promise<void> {
  const { act, path: place, from, keptId, left } = step;
  if (act === 'shared') return assertShareUndoable(userContext, step);
  const path = pathOf(storage, place);
  const isUndoneBefore = undone.affect(place);
  if (act === 'purged') {
    if (keptId === null || !(await canCancelPurge(keptId, userContext.user.id)))
      throw new AppError('not_found');
    return undefined;
  }
  if (act === 'deleted' || act === 'replaced') {
    if (keptId === null || (await findKept(keptId)) === null) throw new AppError('not_found');
  }
  if (act === 'created' && !keepsDeleted) throw new AppError('cannot_keep');
  if (left === null || isUndoneBefore) return undefined;
  if (act === 'moved') await assertMovedHere(storage, path, left);
  else if (act === 'created' && undone.leave(place)) await assertEmptiedFolder(storage, path, left, undone);
  else await assertUnchanged(storage, path, left);
  if (from !== null) pathOf(storage, from);
  return undefined;
}
