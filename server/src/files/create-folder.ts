import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Storage } from '../storage/storage.ts';
import { assertCreatable } from './assert-creatable.ts';

/** Creates a folder and its missing parents. An existing folder stays unchanged. Throws `already_exists`, `invalid_name`. */
export async function createFolder(storage: Storage, path: VirtualPath): Promise<void> {
  await assertCreatable(storage, path);
  await storage.createFolder(path);
}
