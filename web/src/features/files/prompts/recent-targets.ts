import { parsePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { storedJson, storeJson } from '../../../ui/browser-storage.ts';

/** Maximum number of remembered targets. */
const maxTargets = 6;
const storageKey = 'filestead.targets';

/** Returns the folders to which the user has moved or copied in this browser, the most recent first. */
export function recentTargets(): readonly VirtualPath[] {
  const stored = storedJson(storageKey);
  if (!Array.isArray(stored)) return [];
  try {
    return stored
      .filter((path) => typeof path === 'string')
      .slice(0, maxTargets)
      .map((path) => parsePath(path).path);
  } catch {
    return [];
  }
}

const store = (targets: readonly VirtualPath[]): void => storeJson(storageKey, targets.slice(0, maxTargets));

/** Adds a target in front of the others. */
export const storeTarget = (path: VirtualPath): void =>
  store([path, ...recentTargets().filter((other) => other !== path)]);

/** Removes a target that no longer exists. */
export const forgetTarget = (path: VirtualPath): void =>
  store(recentTargets().filter((other) => other !== path));

/** Deletes the targets, when another user signs in. */
export const forgetTargets = (): void => store([]);
