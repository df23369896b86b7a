import { InvalidPathError, parsePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';

/** Returns the canonical form of a typed path; null if it is invalid. */
export function pathOfText(text: string): VirtualPath | null {
  try {
    return parsePath(text.trim()).path;
  } catch (error) {
    if (error instanceof InvalidPathError) return null;
    throw error;
  }
}
