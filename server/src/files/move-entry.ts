import {
  type VirtualPath,
  childOf,
  decodeStrictly,
  isAtOrBelow,
  nameOf,
  parentOf,
  parsePath,
  withNumberSuffix,
} from '@filestead/contract/paths/virtual-path';
import { AppError, isAppError } from '../errors.ts';
import type { Storage, TransferOptions } from '../storage/storage.ts';
import { assertCreatable } from './assert-creatable.ts';

/** The highest number that is tried for a free name. */
const maxSuffix = 10_000;

/**
 * The destination as it arrives after the query was decoded: decoded once more, form style (docs/reference/filebrowser-api.md §1.6). It begins at
 * the top with or without a slash, as newer clients expect. Throws `bad_request` when it is empty, and what the path parser
 * throws.
 */
export function parseDestination(value: string): VirtualPath {
  const decoded = decodeStrictly(value.replaceAll('+', ' '));
  if (decoded === '') throw new AppError('bad_request', 'the destination is empty');
  return parsePath(decoded).path;
}

/**
 * The names that copies and moves are under way to, so that calls at the same time do not all do the work for the first
 * free one. That no name is taken twice is up to the storage.
 */
export type ClaimedNames = Set<string>;

/** A copy or a move. */
export interface MoveEntry {
  readonly action: 'copy' | 'rename';
  readonly from: VirtualPath;
  /** The source was named with a trailing slash, so it has to be a folder. */
  readonly isFromFolderPath: boolean;
  readonly to: VirtualPath;
  /** Replace a file at the destination; folders are merged. */
  readonly overwrite: boolean;
  /** Take the next free name when the destination exists. Goes before `overwrite`. */
  readonly picksFreeName: boolean;
  /** Shared by all calls of a server. */
  readonly claimed: ClaimedNames;
  /** Where the paths of this call begin; tells its claims from those of other users. */
  readonly scope: string;
  /**
   * Awaited with the destination that is about to be used, when nothing speaks against it any more and before anything is
   * changed; throws to refuse. Asked again when another call took that name first.
   */
  readonly beforeChange: (destination: VirtualPath) => Promise<void>;
  readonly onProgress?: TransferOptions['onProgress'] | undefined;
  readonly signal: AbortSignal;
}

/**
 * Copies or moves an entry and resolves to the path it has at the end. Throws `root_is_protected`, `moves_into_itself`,
 * `already_exists` (also when a file and a folder would replace each other), `not_found`, `not_a_folder`, `invalid_name`,
 * `forbidden`, `storage_full`.
 */
export async function moveEntry(storage: Storage, move: MoveEntry): Promise<VirtualPath> {
  const { from, to, overwrite, picksFreeName } = move;
  if (from === '/' || to === '/') throw new AppError('root_is_protected');
  const source = await storage.stat(from);
  const target = await storage.stat(to);
  if (from !== to && isAtOrBelow(to, from)) throw new AppError('moves_into_itself');
  if (target !== null && !picksFreeName) {
    const isSameKind = (source?.kind === 'folder') === (target.kind === 'folder');
    if (!overwrite || !isSameKind) throw new AppError('already_exists');
    if (from === to) throw new AppError('moves_into_itself', 'source and destination are the same');
  }
  if (source === null) throw new AppError('not_found');
  if (move.isFromFolderPath && source.kind !== 'folder') throw new AppError('not_a_folder');
  if (target === null) await assertCreatable(storage, to);
  if (picksFreeName) return moveToFreeName(storage, move);
  await transfer(storage, move, to);
  return to;
}

function transfer(storage: Storage, move: MoveEntry, to: VirtualPath): Promise<void> {
  const { action, from, overwrite, picksFreeName, beforeChange, signal, onProgress } = move;
  const options = {
    overwrite: overwrite && !picksFreeName,
    createParents: true,
    beforeChange: () => beforeChange(to),
    signal,
    ...(onProgress === undefined ? {} : { onProgress }),
  };
  return action === 'copy' ? storage.copy(from, to, options) : storage.move(from, to, options);
}

/**
 * Takes the first free name of `a`, `a(1)`, `a(2)` … Each is created exclusively, so calls at the same time get names of
 * their own. Names that the user may not have are passed over. Throws `already_exists` when all are taken.
 */
async function moveToFreeName(storage: Storage, move: MoveEntry): Promise<VirtualPath> {
  const folder = parentOf(move.to);
  for (let number = 0; number <= maxSuffix; number++) {
    const name = number === 0 ? nameOf(move.to) : withNumberSuffix(nameOf(move.to), number);
    const candidate = childOf(folder, name);
    if (number > 0 && isAtOrBelow(candidate, move.from)) continue;
    const claim = `${move.scope}\0${candidate}`;
    if (move.claimed.has(claim)) continue;
    move.claimed.add(claim);
    try {
      if (await isTaken(storage, candidate)) continue;
      await transfer(storage, move, candidate);
      return candidate;
    } catch (error) {
      if (!isAppError(error, 'already_exists')) throw error;
    } finally {
      move.claimed.delete(claim);
    }
  }
  throw new AppError('already_exists');
}

/** Whether a name exists, or belongs to what this user is kept from. */
async function isTaken(storage: Storage, path: VirtualPath): Promise<boolean> {
  try {
    return (await storage.stat(path)) !== null;
  } catch (error) {
    if (isAppError(error, 'forbidden')) return true;
    throw error;
  }
}
