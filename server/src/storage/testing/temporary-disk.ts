import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { toRawPath } from '../disk/paths/raw-names.ts';
import { type DiskStorageOptions, openDiskStorage } from '../disk/open-disk-storage.ts';
import { processRings } from '../disk/ring/job-ring.ts';
import type { Storage } from '../storage.ts';

/** A storage on a temporary folder of the disk. */
export interface TemporaryDisk {
  readonly storage: Storage;
  /** The disk path of the served folder. Its parent may be used for files outside the storage. */
  readonly root: string;
  readonly outside: string;
}

/** Writes `files` (paths of a storage) below the disk path `root`; a path that ends with a slash is an empty folder. */
export function writeTree(root: string, files: Readonly<Record<string, string>>): void {
  const made = new Set<string>();
  for (const [name, text] of Object.entries(files)) {
    const diskPath = path.join(root, name);
    const folder = name.endsWith('/') ? diskPath : path.dirname(diskPath);
    if (!made.has(folder)) fs.mkdirSync(toRawPath(folder), { recursive: true });
    made.add(folder);
    if (!name.endsWith('/')) fs.writeFileSync(toRawPath(diskPath), text);
  }
}

/** Opens storages on new temporary folders, which are removed after the tests of the file. */
export function temporaryDisks(): {
  open(
    options?: Omit<DiskStorageOptions, 'root'> & { files?: Record<string, string> | undefined },
  ): Promise<TemporaryDisk>;
} {
  const folders: string[] = [];
  // The rings are used only once their first workers are ready.
  beforeAll(() => Promise.all([processRings.quick.start(), processRings.flushes.start()]));
  afterAll(() => {
    for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
  });
  return {
    async open({ files = {}, ...options } = {}) {
      const top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'filestead-storage-')));
      folders.push(top);
      const root = path.join(top, 'root');
      const outside = path.join(top, 'outside');
      fs.mkdirSync(root);
      fs.mkdirSync(outside);
      writeTree(root, files);
      const storeRegistry = path.join(top, 'stores.json');
      return { storage: await openDiskStorage({ storeRegistry, ...options, root }), root, outside };
    },
  };
}
