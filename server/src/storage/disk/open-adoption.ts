import { childOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { isAppError } from '../../errors.ts';
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
import { toAppError } from './paths/errors.ts';
import { closeFolder } from './paths/folder.ts';
import type { ScopeRoot } from './paths/locate.ts';
import { isTemporaryName, trashName } from './paths/temporary-names.ts';
import { readFolder } from './read-folder.ts';
import { closeTree, openTree } from './trees/open-tree.ts';

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

/** Yields the folders below the root that contain a store. Links are not followed, and folders that cannot be read are left out. */
async function* foldersWithStores(scopeRoot: ScopeRoot): AsyncGenerator<VirtualPath> {
  const waiting: VirtualPath[] = [rootPath];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const names = await readSubfolders(scopeRoot, path).catch((error: unknown) => {
      if (isAppError(toAppError(error), 'not_found', 'not_a_folder', 'forbidden', 'external_link')) return [];
      throw error;
    });
    for (const name of names) {
      if (name === trashName) yield path;
      else if (!isTemporaryName(name)) waiting.push(childOf(path, name));
    }
  }
}

async function readSubfolders(scopeRoot: ScopeRoot, path: VirtualPath): Promise<string[]> {
  const { folder } = await openTree(scopeRoot, path);
  try {
    const names: string[] = [];
    for await (const entries of readFolder(folder))
      names.push(...entries.filter(({ type }) => type === 'folder').map(({ name }) => name));
    return names;
  } finally {
    closeTree(scopeRoot, folder);
  }
}

/** Returns the stores in `folders` that are not used yet; without `folders` those anywhere below the root. */
export function findAdoptable(
  options: RegisteredStorageOptions,
  folders: readonly VirtualPath[] | null,
): Promise<AdoptableStore[]> {
  const registry = StoreRegistry.open(options.storeRegistry);
  return withStores(options, registry, async (stores) => {
    const found: AdoptableStore[] = [];
    for await (const path of folders ?? foldersWithStores(stores.scopeRoot)) {
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
