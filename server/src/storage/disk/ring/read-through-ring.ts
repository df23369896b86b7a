import { nameOf, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Entry, EntryBatch, FolderListing, OpenFile, StatOrList } from '../../storage.ts';
import type { Disk } from '../disk.ts';
import { findRefused } from '../list-folder.ts';
import { fileOfDescriptor } from '../open-file.ts';
import { entryOf, fingerprintOf, type Metadata } from '../paths/metadata.ts';
import type { ListedFolder, RingOutcome } from './read-outcome.ts';
import type { ReadOperation } from './ring-layout.ts';

/** Result for a request that must be done without the ring: the ring is not ready, or the path contains a link. */
export const unsuitable = Symbol('unsuitable');
/** The type of {@link unsuitable}. */
export type Unsuitable = typeof unsuitable;

/**
 * Checks `path` with the guard and runs a job. Returns null when the ring cannot do it. The requested path is the real one,
 * because the ring refuses paths with links.
 */
export async function submitRead(
  { rings, scopeRoot }: Disk,
  operation: ReadOperation,
  path: VirtualPath,
): Promise<RingOutcome | null> {
  const ring = rings?.quick;
  if (ring?.isReady() !== true) return null;
  scopeRoot.assertAllowed?.(segmentsOf(path));
  const outcome = await ring.submit(scopeRoot, operation, path.slice(1));
  if (outcome === null) return null;
  return outcome.kind === 'unsuitable' ? null : outcome;
}

const entryAt = (path: VirtualPath, metadata: Metadata): Entry => entryOf(nameOf(path), metadata, false);

async function listingOf(
  disk: Disk,
  path: VirtualPath,
  { metadata, listed }: { readonly metadata: Metadata; readonly listed: ListedFolder },
): Promise<FolderListing> {
  const { names, folderCount, ...arrays } = listed;
  const batch: EntryBatch = { first: 0, count: names.length, ...arrays };
  const segments = segmentsOf(path);
  return {
    folder: entryAt(path, metadata),
    names,
    folderCount,
    refused: await findRefused(disk, path, segments, { names, targets: new Map() }),
    async *batches() {
      if (batch.count > 0) yield batch;
    },
  };
}

/** A file whose whole content was read when it was opened. */
const fileOfContent = (path: VirtualPath, metadata: Metadata, content: Buffer): OpenFile => ({
  entry: entryAt(path, metadata),
  fingerprint: fingerprintOf(metadata),
  descriptor: null,
  read: async (buffer, position) => {
    const part = content.subarray(position, position + buffer.byteLength);
    buffer.set(part);
    return part.length;
  },
  close: async () => undefined,
});

/** `Storage.stat` through the ring. */
export async function statByRing(disk: Disk, path: VirtualPath): Promise<Entry | null | Unsuitable> {
  const outcome = await submitRead(disk, 'stat', path);
  if (outcome?.kind === 'missing') return null;
  return outcome?.kind === 'entry' ? entryAt(path, outcome.metadata) : unsuitable;
}

/** `Storage.list` through the ring. */
export async function listByRing(disk: Disk, path: VirtualPath): Promise<FolderListing | Unsuitable> {
  const outcome = await submitRead(disk, 'list', path);
  return outcome?.kind === 'folder' ? listingOf(disk, path, outcome) : unsuitable;
}

/** `Storage.statOrList` through the ring. */
export async function statOrListByRing(
  disk: Disk,
  path: VirtualPath,
): Promise<StatOrList | null | Unsuitable> {
  const outcome = await submitRead(disk, 'statOrList', path);
  if (outcome?.kind === 'missing') return null;
  if (outcome?.kind === 'entry') return { entry: entryAt(path, outcome.metadata), listing: null };
  if (outcome?.kind !== 'folder') return unsuitable;
  const listing = await listingOf(disk, path, outcome);
  return { entry: listing.folder, listing };
}

/** `Storage.openFile` through the ring; with `prefersContent` a small file is returned with its content. */
export async function openByRing(
  disk: Disk,
  path: VirtualPath,
  prefersContent: boolean,
): Promise<OpenFile | Unsuitable> {
  const outcome = await submitRead(disk, prefersContent ? 'read' : 'open', path);
  if (outcome?.kind === 'content') return fileOfContent(path, outcome.metadata, outcome.content);
  if (outcome?.kind !== 'descriptor') return unsuitable;
  return fileOfDescriptor(entryAt(path, outcome.metadata), outcome.metadata, outcome.descriptor);
}
