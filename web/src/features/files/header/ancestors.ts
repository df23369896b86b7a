import { parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';

/** Returns `path` and the folders above it, from the top. */
export function ancestorsOf(path: VirtualPath): VirtualPath[] {
  const ancestors: VirtualPath[] = [path];
  for (let at = path; at !== '/';) {
    at = parentOf(at);
    ancestors.unshift(at);
  }
  return ancestors;
}
