import type { VirtualPath } from '@filestead/contract/paths/virtual-path';

/** Returns the path of an entry on a disk by its names from a root. The names contain no slash. */
export const pathOf = (names: readonly string[]): VirtualPath => `/${names.join('/')}` as VirtualPath;
