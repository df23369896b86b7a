import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Storage } from '../storage.ts';
import { type DiskStorageOptions, openDiskStorageOn } from './open-disk-storage.ts';
import {
  adoptEntries,
  type AdoptedRecord,
  type AdoptionResult,
  readInstallations,
} from './kept/adopt-store.ts';
import { repairStores } from './kept/repair-store.ts';
import { StoreRegistry } from './kept/store-registry.ts';
import { Stores } from './kept/stores.ts';
import { Locks } from './locks.ts';
import { openScopeRoot } from './open-scope-root.ts';
import { closeFolder } from './paths/folder.ts';

/** The part of a store that the installation does not use yet. */
export interface AdoptableStore {
  /** The folder that contains the store. */
  readonly path: VirtualPath;
  readonly installation: string;
  /** Whether it is a store of this installation, in a folder that was moved. */
  readonly isOwn: boolean;
}

/** The options of a storage with a registry of stores. */
export type RegisteredStorageOptions = DiskStorageOptions & { readonly storeRegistry: string };

async function withStores<T>(
  options: DiskStorageOptions,
  registry: StoreRegistry,
  work: (stores: Stores) => Promise<T>,
): Promise<T> {
  const scopeRoot = await openScopeRoot(options);
  try {
    const stores = await Stores.open(scopeRoot, registry);
    return await work(stores).finally(() => stores.release());
  } finally {
    closeFolder(scopeRoot.root);
  }
}

/** Returns the stores in `folders` that are not used yet. */
export function findAdoptable(
  options: RegisteredStorageOptions,
  folders: readonly VirtualPath[],
): Promise<AdoptableStore[]> {
  const registry = StoreRegistry.open(options.storeRegistry);
  return withStores(options, registry, async (stores) => {
    const found: AdoptableStore[] = [];
    for (const path of folders) {
      for (const installation of await readInstallations(stores, path)) {
        const isOwn = installation === registry.installation;
        if (!isOwn || registry.find(path) === undefined) found.push({ path, installation, isOwn });
      }
    }
    return found;
  });
}

/** Adds a moved store of this installation to the registry. Returns the folders in which it was before. */
export function registerStore(options: RegisteredStorageOptions, path: VirtualPath): Promise<VirtualPath[]> {
  const registry = StoreRegistry.open(options.storeRegistry);
  return withStores(options, registry, async (stores) => {
    const inode = await stores.withStore(path, async ({ top }) => String(top.inode));
    const former = registry.stores.filter((store) => store.path !== path && store.inode === inode);
    for (const store of former) registry.remove(store.path);
    return former.map((store) => store.path as VirtualPath);
  });
}

/** Calls `work` with the storage of another installation, and a function that takes entries over from its store in `path`. */
export async function withForeignStore<T>(
  options: RegisteredStorageOptions,
  { path, installation }: AdoptableStore,
  work: (
    foreign: Storage,
    adopt: (records: readonly AdoptedRecord[]) => Promise<AdoptionResult>,
  ) => Promise<T>,
): Promise<T> {
  const registry = StoreRegistry.forInstallation(installation, path);
  await withStores(options, registry, repairStores);
  const storage = await openDiskStorageOn(options, {
    journal: null,
    locks: new Locks(),
    registry,
    close: () => undefined,
  });
  try {
    return await work(storage, (records) =>
      withStores(options, StoreRegistry.open(options.storeRegistry), (own) =>
        withStores(options, registry, (foreign) => adoptEntries(own, foreign, path, records)),
      ),
    );
  } finally {
    await storage.close();
  }
}
