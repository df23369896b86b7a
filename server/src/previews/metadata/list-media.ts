import { type VirtualPath, joinPaths, parsePath } from '@filestead/contract/paths/virtual-path';
import type { MediaInfo, MediaSize } from '@filestead/contract/previews';
import type { Clock } from '../../clock.ts';
import { AppError, isAppError } from '../../errors.ts';
import { LimitedMap } from '../../limited-map.ts';
import type { Party } from '../../scheduling/party.ts';
import { openFairQueue } from '../../scheduling/fair-queue.ts';
import type { Storage } from '../../storage/storage.ts';
import { readMedia } from './read-media.ts';

/** Limits of concurrent requests; each reads {@link filesAtOnce} files at once. */
const limits = {
  running: 3,
  runningPerParty: 1,
  waiting: 200,
  waitingPerParty: 20,
  refusal: 'busy',
} as const;
const filesAtOnce = 4;
/** Time after which a request is answered with the rows that it has, in milliseconds. */
const maxListMs = 1_500;
/** The number of files whose properties are remembered, by their content's fingerprint. About 30 MB when full. */
const maxRemembered = 150_000;

/** The user or visitor who requests properties. */
export interface MediaRequester {
  readonly party: Party;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Reads the headers of pictures, videos and audio files. */
export interface Media {
  /**
   * Returns the sizes of the files `names` below `folder`, null for those that are unknown or denied; fewer rows than names when
   * that takes long. Throws `invalid_path`, `not_found`, `not_a_folder`, `busy`.
   */
  list(
    storage: Storage,
    folder: VirtualPath,
    names: readonly string[],
    requester: MediaRequester,
  ): Promise<(MediaSize | null)[]>;
  /** Returns all properties of a file. Throws the errors of opening it, and `busy`. */
  get(storage: Storage, path: VirtualPath, requester: MediaRequester): Promise<MediaInfo>;
}

const unknown: MediaInfo = { width: 0, height: 0 };

function sizeOf({ width, height, taken, seconds, place }: MediaInfo): MediaSize {
  return {
    width,
    height,
    ...(taken !== undefined && { taken }),
    ...(seconds !== undefined && { seconds }),
    ...(place !== undefined && { place }),
  };
}

/** Opens the reading of headers. */
export function openMedia(clock: Pick<Clock, 'now'>): Media {
  const queue = openFairQueue(limits);
  const remembered = new LimitedMap<string, MediaSize | null>(maxRemembered);

  /** Reads a file through the user's storage, so that denied files stay denied even if they are remembered. */
  const sizeAt = async (storage: Storage, path: VirtualPath): Promise<MediaSize | null> => {
    try {
      const file = await storage.openFile(path);
      try {
        const known = remembered.get(file.fingerprint);
        if (known !== undefined) return known;
        const info = await readMedia(path, file);
        const size = info === null ? null : sizeOf(info);
        remembered.set(file.fingerprint, size);
        return size;
      } finally {
        await file.close();
      }
    } catch (error) {
      if (isAppError(error) && !isAppError(error, 'storage_unavailable')) return null;
      throw error;
    }
  };

  const listNow = async (
    storage: Storage,
    paths: readonly VirtualPath[],
    signal: AbortSignal,
  ): Promise<(MediaSize | null)[]> => {
    const deadline = clock.now() + maxListMs;
    const rows: (MediaSize | null)[] = [];
    for (let first = 0; first < paths.length; first += filesAtOnce) {
      signal.throwIfAborted();
      if (first > 0 && clock.now() > deadline) break;
      const part = paths.slice(first, first + filesAtOnce);
      rows.push(...(await Promise.all(part.map((path) => sizeAt(storage, path)))));
    }
    return rows;
  };

  return {
    async list(storage, folder, names, { party, signal }) {
      const paths = names.map((name) => joinPaths(folder, parsePath(`/${name}`).path));
      const entry = await storage.stat(folder);
      if (entry === null) throw new AppError('not_found');
      if (entry.kind !== 'folder') throw new AppError('not_a_folder');
      return queue.run(party, () => listNow(storage, paths, signal), signal);
    },
    async get(storage, path, { party, signal }) {
      const file = await storage.openFile(path);
      try {
        return await queue.run(party, async () => (await readMedia(path, file)) ?? unknown, signal);
      } finally {
        await file.close();
      }
    },
  };
}
