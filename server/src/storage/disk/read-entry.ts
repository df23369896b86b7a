import type { BigIntStats } from 'node:fs';
import { segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { isAppError } from '../../errors.ts';
import type { Entry } from '../storage.ts';
import { isErrno } from './paths/syscalls.ts';
import { entryOf } from './paths/metadata.ts';
import { type ScopeRoot, release, locate } from './paths/locate.ts';
import type { Steps } from './paths/steps.ts';

/** An entry with its metadata and its real path. */
export interface Found {
  readonly entry: Entry;
  /** The real path when the name is a link that can be followed. */
  readonly target: readonly string[] | null;
  readonly stats: BigIntStats;
}

/** The entry at `segments`; null when there is none. A link that cannot be followed is an `invalid_link`. */
export function* findEntry(scopeRoot: ScopeRoot, segments: readonly string[]): Steps<Found | null> {
  const seen: { link: BigIntStats | null } = { link: null };
  const name = segments.at(-1) ?? '';
  try {
    const resolved = yield* locate(scopeRoot, segments, { leaf: 'follow', seen });
    release(scopeRoot, resolved);
    if (resolved.stats !== null) {
      const isLink = seen.link !== null;
      return {
        entry: entryOf(name, resolved.stats, isLink),
        target: isLink ? resolved.names : null,
        stats: resolved.stats,
      };
    }
  } catch (error) {
    const isMissing = isAppError(error, 'not_found', 'not_a_folder');
    const isUnfollowable =
      isMissing || isAppError(error, 'external_link') || isErrno(error, 'EACCES', 'ENAMETOOLONG');
    if (seen.link === null ? !isMissing : !isUnfollowable) throw error;
  }
  return seen.link && { entry: entryOf(name, seen.link, true), target: null, stats: seen.link };
}

/** `Storage.stat` on a disk. */
export function* readEntry(scopeRoot: ScopeRoot, path: VirtualPath): Steps<Entry | null> {
  return (yield* findEntry(scopeRoot, segmentsOf(path)))?.entry ?? null;
}
