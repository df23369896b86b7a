import { nameOf, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { WriteOptions } from '../../storage.ts';
import type { Disk, PublishTarget } from '../disk.ts';
import type { Metadata } from '../paths/metadata.ts';
import { defaultModes } from '../paths/modes.ts';
import { newTemporaryName } from '../paths/temporary-names.ts';
import type { TemporaryPlace } from '../writes/temporary-journal.ts';
import type { RingOutcome } from './read-outcome.ts';
import { submitRead, type Unsuitable, unsuitable } from './read-through-ring.ts';
import { type PublishRequest, shareFolder, type StoreRequest } from './write-requests.ts';

/** Finds the file that a write to `path` would replace; null when there is none. */
export async function findTargetByRing(disk: Disk, path: VirtualPath): Promise<Metadata | null | Unsuitable> {
  const outcome = await submitRead(disk, 'target', path);
  if (outcome?.kind === 'missing') return null;
  return outcome?.kind === 'entry' ? outcome.metadata : unsuitable;
}

/** A file that has been written under a temporary name and flushed. */
export interface StoredFile {
  readonly isNamed: false;
  /** The target. Its folder must be released. */
  readonly target: PublishTarget;
  readonly temporary: string;
  /** The path of the temporary file in the journal. */
  readonly place: TemporaryPlace;
  readonly metadata: Metadata;
}

/** A file that has been written and flushed, and has its name. */
export interface NamedFile {
  readonly isNamed: true;
  readonly metadata: Metadata;
}

/** The parameters of {@link storeByRing}. */
export interface StoreSmallFile extends Pick<WriteOptions, 'mode'> {
  readonly path: VirtualPath;
  readonly body: readonly Uint8Array[];
  /** The file that will be replaced, which was checked; null for a new one. */
  readonly current: Metadata | null;
  /** Whether a new file gets its name in the same step; all checks but those of the step have been made. */
  readonly isNamedAtOnce?: boolean;
}

const noSlot: RingOutcome = { kind: 'unsuitable' };

/**
 * Writes a small file under a temporary name beside its target and flushes it; with `isNamedAtOnce` it also gets its name, if
 * nothing prevents it. Returns null, having changed nothing, when the ring cannot do it or the target was created or removed after
 * its check. Throws the errors of `locate` and of writing.
 */
export async function storeByRing(
  { rings, scopeRoot, prefix, journal }: Disk,
  { path, body, mode, current, isNamedAtOnce = false }: StoreSmallFile,
): Promise<StoredFile | NamedFile | null> {
  const ring = rings?.flushes;
  if (ring?.isReady() !== true) return null;
  const names = segmentsOf(path);
  scopeRoot.assertAllowed?.(names);
  const temporary = newTemporaryName();
  const place = [...prefix, ...names.slice(0, -1), temporary];
  const { modes = defaultModes } = scopeRoot;
  const request: StoreRequest = {
    mode,
    isNew: current === null,
    isNamedAtOnce,
    temporary,
    modes,
    journal: journal?.beginElsewhere(place) ?? null,
  };
  // When the worker ends unexpectedly this rejects, and the file stays in the journal for the next start.
  const outcome = await (ring.submit(scopeRoot, 'store', path.slice(1), { request, body }) ?? noSlot);
  if (outcome.kind === 'named') {
    journal?.end(place);
    return { isNamed: true, metadata: outcome.metadata };
  }
  if (outcome.kind === 'stored') {
    const folder = outcome.folder ?? scopeRoot.root;
    const target = { folder, name: nameOf(path), names, stats: current, link: null };
    return { isNamed: false, target, temporary, place, metadata: outcome.metadata };
  }
  if (outcome.kind !== 'failed' || outcome.isClean) journal?.end(place);
  if (outcome.kind === 'failed') throw outcome.error;
  return null;
}

/**
 * Renames a finished temporary file to a new name. Returns false, having changed nothing, when the name exists or the ring cannot
 * do it. Throws `storage_unavailable`, see `assertReachable`.
 */
export async function publishByRing(
  { rings, scopeRoot }: Disk,
  { folder, name }: PublishTarget,
  temporary: string,
): Promise<boolean> {
  const ring = rings?.quick;
  if (ring?.isReady() !== true) return false;
  const request: PublishRequest = { folder: shareFolder(folder), temporary, name };
  return (await ring.submit(scopeRoot, 'publish', '', { request }))?.kind === 'published';
}
