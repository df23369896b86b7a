import { rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyBaseLogger } from 'fastify';
import type { FileEvents } from '../access/file-events.ts';
import { restoreEntry } from '../access/keeping/restore-entry.ts';
import { numberedPaths } from '../access/numbered-paths.ts';
import type { Operation } from '../access/operation.ts';
import type { UploadSpace } from '../access/upload-space.ts';
import type { VersionRepository } from '../database/version-repository.ts';
import { AppError, isAppError } from '../errors.ts';
import type { KeptEntry } from '../storage/kept/kept-entries.ts';
import type { OpenFile, Storage, WriteOptions } from '../storage/storage.ts';
import type { VersionView, VisibleVersion } from './version-view.ts';
import { withOpenVersion } from './with-open-version.ts';

/** The parts of the server that restore versions. */
export interface RestoreVersionParts {
  readonly repository: VersionRepository;
  readonly events: FileEvents;
  readonly space: UploadSpace;
  /** Rooted at the served folder. */
  readonly storage: Storage;
  /** Throws `invalid_name` for a path whose names may not be created. */
  readonly assertCreatable: (storage: Storage, path: VirtualPath) => Promise<void>;
  readonly log: Pick<FastifyBaseLogger, 'error'>;
}

/** A request to restore a version. */
export interface RestoreVersionCall {
  readonly view: VersionView;
  readonly operation: Operation;
  readonly signal: AbortSignal;
}

/** Bytes per read. */
const chunkBytes = 256 * 1024;

/** Yields the bytes of a file. */
async function* readChunks(file: OpenFile): AsyncGenerator<Uint8Array> {
  for (let position = 0; ;) {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const bytes = await file.read(chunk, position);
    if (bytes === 0) return;
    position += bytes;
    yield chunk.subarray(0, bytes);
  }
}

/** Writes the content of a version to `to`. `source` is the storage in which it is read. */
async function writeContent(
  { events, space }: RestoreVersionParts,
  { view, operation, signal }: RestoreVersionCall,
  visible: VisibleVersion,
  target: { source: Storage; to: VirtualPath; mode: WriteOptions['mode']; kept: KeptEntry[] },
): Promise<void> {
  const { storage, userContext } = view;
  const { source, to, mode, kept } = target;
  const { version, path } = visible;
  const { id } = version;
  const change = {
    event: 'restore',
    userContext,
    path,
    destination: to,
    operation,
    kept,
    keptId: id,
  } as const;
  await withOpenVersion(source, version, (file) =>
    events.runWhenReady(change, (begin) => {
      const announcedBytes = file.entry.size;
      return space.storeReserved(storage, to, { content: readChunks(file), announcedBytes }, (content) =>
        storage.write(to, content, {
          mode,
          announcedBytes,
          createParents: mode === 'create',
          beforeChange: () => begin(),
          signal,
          ...operation.keepOptions('restore', kept),
        }),
      );
    }),
  );
}

/**
 * Makes a version the current state of its file; the replaced state becomes a version. An annotated version also stays in the list;
 * others are removed from it. Returns the id of the replaced state. Throws `forbidden`, `not_found`, `is_folder`, `cannot_keep`.
 */
export async function restoreVersion(
  parts: RestoreVersionParts,
  call: RestoreVersionCall,
  visible: VisibleVersion,
): Promise<string | null> {
  const { version, path } = visible;
  const { view, operation, signal } = call;
  const { storage } = view;
  if (version.label !== null || version.keepsForever) {
    const kept: KeptEntry[] = [];
    const target = { source: parts.storage, to: path, mode: 'either', kept } as const;
    await writeContent(parts, call, visible, target);
    return kept[0]?.id ?? null;
  }
  const replaced = await restoreEntry(parts.events, storage, operation, {
    kept: version,
    path,
    to: path,
    conflict: 'replace',
    createParents: false,
    signal,
  });
  await parts.repository
    .remove(version.id)
    .catch((error: unknown) => parts.log.error({ err: error }, 'a restored version is still in the index'));
  return replaced[0]?.id ?? null;
}

/**
 * Writes a version into a new file and resolves to its path: `to`, or the next free name beside the file. Throws
 * `already_exists`, `forbidden`, `invalid_name`, `not_a_folder`, `root_is_protected`, `storage_full`.
 */
export async function copyVersion(
  parts: RestoreVersionParts,
  call: RestoreVersionCall,
  visible: VisibleVersion,
  to: VirtualPath | null,
): Promise<VirtualPath> {
  const source = call.view.storage;
  const write = async (path: VirtualPath): Promise<VirtualPath> => {
    await parts.assertCreatable(source, path);
    await writeContent(parts, call, visible, { source, to: path, mode: 'create', kept: [] });
    return path;
  };
  if (to === rootPath) throw new AppError('root_is_protected');
  if (to !== null) return write(to);
  for (const candidate of numberedPaths(visible.path, 1)) {
    try {
      if ((await source.stat(candidate)) === null) return await write(candidate);
    } catch (error) {
      if (!isAppError(error, 'already_exists')) throw error;
    }
  }
  throw new AppError('already_exists');
}
