import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Storage } from '../storage/storage.ts';
import { assertCreatable } from './assert-creatable.ts';

/** Makes a folder and its missing parents; one that exists is left as it is. Throws `already_exists`, `invalid_name`. */
export async function createFolder(storage: Storage, path: VirtualPath): Promise<void> {
  await assertCreatable(storage, path);
  await storage.createFolder(path);
}
