import { type VirtualPath, parentOf } from '@filestead/contract/paths/virtual-path';
import { AppError, isAppError } from '../errors.ts';
import { observeChunks } from '../storage/observe-chunks.ts';
import type { Storage } from '../storage/storage.ts';

/** Uploads below this size, in bytes, are accepted without checking the free space. */
const minCheckedBytes = 1024 * 1024;

/** A request body with its announced length. */
export interface AnnouncedContent {
  readonly content: AsyncIterable<Uint8Array>;
  /** In bytes; 0 if unknown. */
  readonly announcedBytes: number;
}

/** Disk space that is reserved for one upload. */
export interface SpaceReservation {
  /** Reports that `bytes` were written to disk, where the file system counts them as used. */
  arrived(bytes: number): void;
  /** Frees the rest of the reservation. May be called more than once. */
  release(): void;
}

/** Reserves disk space, so that concurrent uploads do not rely on the same free bytes. */
export interface UploadSpace {
  /**
   * Reserves `bytes` for a file at `path`. Throws `payload_too_large` above the size limit, and
   * `storage_full` if they exceed the free space minus the existing reservations, even after {@link MakeRoom} has freed space.
   */
  reserve(storage: Storage, path: VirtualPath, bytes: number): Promise<SpaceReservation>;
  /**
   * Runs `store` with the content while space for it is reserved. Before reading anything it throws
   * `payload_too_large` if the announced length is above the size limit, and `storage_full` if it exceeds the
   * free space minus the existing reservations.
   */
  storeReserved<T>(
    storage: Storage,
    path: VirtualPath,
    upload: AnnouncedContent,
    store: (content: AsyncIterable<Uint8Array>) => Promise<T>,
  ): Promise<T>;
}

/** A request for space on a disk. */
export interface RoomRequest {
  /** The folder that needs the space, as a path in the served folder. */
  readonly place: VirtualPath;
  /** The file system of the folder. */
  readonly fileSystem: string;
  /** The free bytes that are needed. */
  readonly neededBytes: number;
}

/** Frees space by removing kept entries. Resolves within some seconds, even if it does not succeed. */
export type MakeRoom = (request: RoomRequest) => Promise<void>;

/** Returns the space at the closest existing parent of `path`; null if the user may not read it. */
async function spaceAt(
  storage: Storage,
  path: VirtualPath,
): Promise<{ place: VirtualPath; fileSystem: string; free: number } | null> {
  try {
    let folder = parentOf(path);
    while (folder !== '/' && (await storage.stat(folder)) === null) folder = parentOf(folder);
    const { total, used, fileSystem } = await storage.usage(folder);
    return { place: storage.toPlace(folder), fileSystem, free: total - used };
  } catch (error) {
    if (isAppError(error, 'forbidden')) return null;
    throw error;
  }
}

/**
 * Creates the reservations of a server; one object for all its uploads.
 * @param maxUploadBytes the largest upload; 0 for no limit
 * @param makeRoom called when the free space is too small for an upload
 */
export function createUploadSpace(
  maxUploadBytes: number,
  makeRoom: MakeRoom = async () => undefined,
): UploadSpace {
  let expectedBytes = 0;
  /** Throws `storage_full` unless the disk has space for all reservations. */
  const assertFree = async (storage: Storage, path: VirtualPath): Promise<void> => {
    // Later reservations wait until this one is decided.
    const neededBytes = expectedBytes;
    const before = await spaceAt(storage, path);
    if (before === null || neededBytes <= before.free) return;
    await makeRoom({ place: before.place, fileSystem: before.fileSystem, neededBytes });
    const after = await spaceAt(storage, path);
    if (after !== null && Math.min(neededBytes, expectedBytes) > after.free)
      throw new AppError('storage_full');
  };
  const reserve: UploadSpace['reserve'] = async (storage, path, bytes) => {
    if (maxUploadBytes > 0 && bytes > maxUploadBytes) throw new AppError('payload_too_large');
    let missing = bytes < minCheckedBytes ? 0 : bytes;
    const arrived = (count: number): void => {
      const expected = Math.min(count, missing);
      missing -= expected;
      expectedBytes -= expected;
    };
    expectedBytes += missing;
    const release = (): void => arrived(missing);
    try {
      if (missing > 0) await assertFree(storage, path);
    } catch (error) {
      release();
      throw error;
    }
    return { arrived, release };
  };
  return {
    reserve,
    async storeReserved(storage, path, { content, announcedBytes }, store) {
      const reservation = await reserve(storage, path, announcedBytes);
      try {
        // A small upload has reserved nothing.
        return await store(
          announcedBytes < minCheckedBytes
            ? content
            : observeChunks(content, ({ length }) => reservation.arrived(length)),
        );
      } finally {
        reservation.release();
      }
    },
  };
}
