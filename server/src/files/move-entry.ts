import {
  type VirtualPath,
  decodeStrictly,
  isAtOrBelow,
  parsePath,
} from '@filestead/contract/paths/virtual-path';
import { numberedPaths } from '../access/numbered-paths.ts';
import { AppError, isAppError } from '../errors.ts';
import { isTaken } from '../storage/is-taken.ts';
import type { KeepOptions } from '../storage/kept/kept-entries.ts';
import type { Storage, TransferOptions } from '../storage/storage.ts';
import { assertCreatable } from './assert-creatable.ts';

/**
 * Parses the destination of the decoded query: it is form-decoded once more (docs/reference/filebrowser-api.md §1.6). A
 * missing leading slash is added, as newer clients expect. Throws `bad_request` when it is empty, and the errors of
 * {@link parsePath}.
 */
export function parseDestination(value: string): VirtualPath {
  const decoded = decodeStrictly(value.replaceAll('+', ' '));
  if (decoded === '') throw new AppError('bad_request', 'the destination is empty');
  return parsePath(decoded).path;
}

/**
 * The destinations of running copies and moves, so that concurrent requests do not all copy to the same free name and fail.
 * The storage guarantees that no name is used twice.
 */
export type ClaimedNames = Set<string>;

/** A request to copy or move an entry. */
export interface MoveEntry {
  readonly action: 'copy' | 'rename';
  readonly from: VirtualPath;
  /** The source path has a trailing slash, so the source has to be a folder. */
  readonly isFromFolderPath: boolean;
  readonly to: VirtualPath;
  /** Replace a file at the destination; folders are merged. */
  readonly overwrite: boolean;
  /** Use the next free name when the destination exists. Takes precedence over `overwrite`. */
  readonly picksFreeName: boolean;
  /** Shared by all requests of a server. */
  readonly claimed: ClaimedNames;
  /** The user's scope, which distinguishes equal paths of different users in `claimed`. */
  readonly scope: string;
  /**
   * Awaited with the final destination, after all checks have passed and before the first change; throws to refuse. Called
   * again when another request has used that name first.
   */
  readonly beforeChange: (destination: VirtualPath) => Promise<void>;
  /** Options that keep the former states of replaced files; by default they are lost. */
  readonly keeping?: KeepOptions | undefined;
  readonly onProgress?: TransferOptions['onProgress'] | undefined;
  /** Lets an interrupted copy of a folder be continued. */
  readonly continuation?: TransferOptions['continuation'];
  readonly signal: AbortSignal;
}

/**
 * Copies or moves an entry and resolves to its final path. Throws `root_is_protected`, `moves_into_itself`,
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
  const { action, from, overwrite, picksFreeName, beforeChange, continuation, signal, onProgress } = move;
  const options = {
    overwrite: overwrite && !picksFreeName,
    createParents: true,
    continuation,
    beforeChange: () => beforeChange(to),
    signal,
    ...move.keeping,
    ...(onProgress === undefined ? {} : { onProgress }),
  };
  return action === 'copy' ? storage.copy(from, to, options) : storage.move(from, to, options);
}

/**
 * Copies or moves to the first free name of `a`, `a(1)`, `a(2)` … Each is created exclusively, so that concurrent requests
 * get different names. Names that rules deny are skipped. Throws `already_exists` when none is free.
 */
async function moveToFreeName(storage: Storage, move: MoveEntry): Promise<VirtualPath> {
  for (const candidate of numberedPaths(move.to)) {
    if (candidate !== move.to && isAtOrBelow(candidate, move.from)) continue;
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
