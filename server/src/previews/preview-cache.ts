import { hash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { openDiskStorage } from '../storage/disk/open-disk-storage.ts';
import { LimitedMap } from '../limited-map.ts';
import type { Storage } from '../storage/storage.ts';
import type { EncodedPicture } from './decoder/decode-picture.ts';

/**
 * A cache of previews on the disk. A key identifies one version of one file. Disk errors are reported to `onTrouble`
 * and never thrown.
 */
export interface PreviewCache {
  /** Returns the picture of `key`, or null. Entries that may be incomplete count as missing. */
  get(key: string): Promise<EncodedPicture | null>;
  /** Stores a picture. The least recently used ones are removed to make room. */
  put(key: string, picture: EncodedPicture): Promise<void>;
  /** Returns the size of all entries in bytes. */
  usedBytes(): Promise<number>;
  /** Reads the folder once, before the first request needs it. */
  prepare(): void;
  close(): Promise<void>;
}

/** The entries of a cache, the least recently used first. */
type Entries = Map<string, { bytes: number; usedMs: number }>;

/**
 * The signature of an entry's file. It is followed by a hash of the rest, the length of the media type, the media type
 * and the picture.
 */
const signature = Buffer.from('FSP1', 'latin1');
const hashBytes = 32;
const headBytes = signature.length + hashBytes + 1;
/** Fraction of the maximum size that remains after an eviction, so that not every new picture causes one. */
const keptFraction = 0.9;
/** Minimum time between two updates of an entry's time of use on the disk. */
const touchMs = 60 * 60 * 1000;
/** Number and size in bytes of the pictures kept in memory: those that were requested last. Together they take at most 4 MiB. */
const maxRecent = 128;
const maxRecentBytes = 32 * 1024;
const entryName = /^[\da-f]{64}$/;
const folderName = /^[\da-f]{2}$/;
const temporarySuffix = '.part';

const sha256 = (content: Uint8Array): Buffer => hash('sha256', content, 'buffer');

function pack({ mediaType, bytes }: EncodedPicture): Buffer {
  const type = Buffer.from(mediaType, 'latin1');
  const rest = Buffer.concat([Buffer.from([type.length]), type, bytes]);
  return Buffer.concat([signature, sha256(rest), rest]);
}

function unpack(file: Buffer): EncodedPicture | null {
  if (file.length < headBytes || !file.subarray(0, signature.length).equals(signature)) return null;
  const restStart = signature.length + hashBytes;
  if (!sha256(file.subarray(restStart)).equals(file.subarray(signature.length, restStart))) return null;
  const typeEnd = headBytes + file.readUInt8(headBytes - 1);
  return { mediaType: file.toString('latin1', headBytes, typeEnd), bytes: file.subarray(typeEnd) };
}

/** Returns the names in a folder; none if it does not exist. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}

/** Reads the entries of the cache's folder. Removes incomplete files that a killed server has left, as best effort. */
async function readEntries(folder: string, onTrouble: (error: unknown) => void): Promise<Entries> {
  const found: [string, { bytes: number; usedMs: number }][] = [];
  for (const inner of (await namesIn(folder)).filter((name) => folderName.test(name))) {
    for (const name of await namesIn(join(folder, inner))) {
      const path = join(folder, inner, name);
      const stats = await stat(path).catch(() => null);
      if (stats === null || !stats.isFile()) continue;
      if (entryName.test(name)) found.push([name, { bytes: stats.size, usedMs: stats.mtimeMs }]);
      else if (name.endsWith(temporarySuffix)) await rm(path, { force: true }).catch(onTrouble);
    }
  }
  return new Map(found.sort(([, one], [, other]) => one.usedMs - other.usedMs));
}

/** Creates a file that only its owner may access, and its folder if that is missing. */
async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return open(path, 'wx', 0o600);
  }
}

/** Opens a cache in `folder` (created if missing, accessible only to its owner) of at most `maxBytes`; 0 disables it. */
export function openPreviewCache({
  folder,
  maxBytes,
  onTrouble,
  now = Date.now,
}: {
  folder: string;
  maxBytes: number;
  /** Called with the errors of the disk. */
  onTrouble: (error: unknown) => void;
  /** In Unix milliseconds. */
  now?: () => number;
}): PreviewCache {
  let reading: Promise<Entries> | null = null;
  let used = 0;
  const entries = (): Promise<Entries> =>
    (reading ??= readEntries(folder, onTrouble).then((found) => {
      for (const { bytes } of found.values()) used += bytes;
      return found;
    }));
  const nameOf = (key: string): string => hash('sha256', key);
  const pathOf = (name: string): string => join(folder, name.slice(0, 2), name);

  let storage: Promise<Storage> | null = null;
  const closeStorage = async (): Promise<void> => {
    const opened = storage;
    storage = null;
    await (await opened?.catch(() => null))?.close();
  };
  /** Reads an entry in one step through the storage of the folder. */
  const readEntry = async (name: string): Promise<Buffer> => {
    storage ??= openDiskStorage({ root: folder });
    const path = `/${name.slice(0, 2)}/${name}` as VirtualPath;
    const file = await (await storage).openFile(path, { prefersContent: true });
    try {
      const content = Buffer.allocUnsafe(file.entry.size);
      return content.subarray(0, await file.read(content, 0));
    } finally {
      await file.close();
    }
  };

  const recent = new LimitedMap<string, EncodedPicture>(maxRecent);
  const readPicture = async (name: string): Promise<EncodedPicture | null> => {
    const known = recent.get(name);
    if (known !== undefined) return known;
    const picture = unpack(await readEntry(name));
    if (picture !== null && picture.bytes.length <= maxRecentBytes) recent.set(name, picture);
    return picture;
  };

  const forget = async (all: Entries, name: string): Promise<void> => {
    recent.delete(name);
    used -= all.get(name)?.bytes ?? 0;
    all.delete(name);
    await rm(pathOf(name), { force: true });
  };

  const makeRoom = async (all: Entries, newBytes: number): Promise<void> => {
    if (used + newBytes <= maxBytes) return;
    for (const name of all.keys()) {
      if (used + newBytes <= maxBytes * keptFraction) return;
      await forget(all, name);
    }
  };

  const store = async (name: string, content: Buffer): Promise<void> => {
    recent.delete(name);
    const all = await entries();
    await makeRoom(all, content.length);
    const path = pathOf(name);
    const temporary = `${path}.${randomUUID()}${temporarySuffix}`;
    try {
      const file = await openNew(temporary);
      try {
        await file.writeFile(content);
      } finally {
        await file.close();
      }
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    used += content.length - (all.get(name)?.bytes ?? 0);
    all.delete(name);
    all.set(name, { bytes: content.length, usedMs: now() });
  };

  return {
    async get(key) {
      if (maxBytes === 0) return null;
      const name = nameOf(key);
      const all = await entries();
      const entry = all.get(name);
      if (entry === undefined) return null;
      try {
        const picture = await readPicture(name);
        if (picture === null) {
          await forget(all, name);
          return null;
        }
        const usedMs = now();
        const isOld = usedMs - entry.usedMs > touchMs;
        all.delete(name);
        all.set(name, isOld ? { ...entry, usedMs } : entry);
        if (isOld) await utimes(pathOf(name), usedMs / 1_000, usedMs / 1_000);
        return picture;
      } catch {
        used -= all.get(name)?.bytes ?? 0;
        all.delete(name);
        // The folder may have been replaced.
        await closeStorage();
        return null;
      }
    },
    async put(key, picture) {
      const content = pack(picture);
      if (content.length > maxBytes) return;
      try {
        await store(nameOf(key), content);
      } catch (error) {
        onTrouble(error);
      }
    },
    prepare() {
      void entries();
    },
    close: closeStorage,
    async usedBytes() {
      await entries();
      return used;
    },
  };
}
