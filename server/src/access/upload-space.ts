import { type VirtualPath, parentOf } from '@filestead/contract/paths/virtual-path';
import { AppError, isAppError } from '../errors.ts';
import type { Storage } from '../storage/storage.ts';

/** Smaller uploads are not worth the question how much space is free (bytes). */
const minCheckedBytes = 1024 * 1024;

/** A body with the length that was announced for it. */
export interface AnnouncedContent {
  readonly content: AsyncIterable<Uint8Array>;
  /** Bytes; 0 when it is not known. */
  readonly announcedBytes: number;
}

/** Space that was promised to one upload. */
export interface SpaceReservation {
  /** So many bytes more lie on the disk now, where they count as used. */
  arrived(bytes: number): void;
  /** What has not arrived is free again. Calling it twice is fine. */
  release(): void;
}

/** Keeps uploads that run at once from being promised the same free space. */
export interface UploadSpace {
  /**
   * Sets `bytes` aside for a file at `path`. Throws `payload_too_large` when it is more than is allowed, `storage_full` when
   * it is more than is free, with what other uploads still expect.
   */
  reserve(storage: Storage, path: VirtualPath, bytes: number): Promise<SpaceReservation>;
  /**
   * Runs `store` with the content while space for it is set aside. Before anything is read it throws `payload_too_large`
   * when the announced length is more than is allowed, `storage_full` when it is more than is free, with what other
   * uploads still expect.
   */
  storeReserved<T>(
    storage: Storage,
    path: VirtualPath,
    upload: AnnouncedContent,
    store: (content: AsyncIterable<Uint8Array>) => Promise<T>,
  ): Promise<T>;
}

/** The free bytes where `path` will be: of its closest parent that exists. Infinite where the user may not look. */
async function freeBytes(storage: Storage, path: VirtualPath): Promise<number> {
  try {
    let folder = parentOf(path);
    while (folder !== '/' && (await storage.stat(folder)) === null) folder = parentOf(folder);
    const { total, used } = await storage.usage(folder);
    return total - used;
  } catch (error) {
    if (isAppError(error, 'forbidden')) return Infinity;
    throw error;
  }
}

/**
 * Starts with nothing set aside. One for all uploads of a server.
 *
 * @param maxUploadBytes the largest upload; 0 for no limit
 */
export function createUploadSpace(maxUploadBytes: number): UploadSpace {
  let expectedBytes = 0;
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
      if (missing > 0 && expectedBytes > (await freeBytes(storage, path))) throw new AppError('storage_full');
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
        return await store(counted(content, reservation.arrived));
      } finally {
        reservation.release();
      }
    },
  };
}

async function* counted(
  content: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    onBytes(chunk.length);
    yield chunk;
  }
}
