import type { VirtualPath } from '@filestead/contract/paths/virtual-path';

/**
 * Which of the folders above the shown one go into a menu when `count` of them have no room, from the top: first what
 * lies between the topmost folder and the nearest one, then the topmost, the nearest last.
 */
export function hiddenCrumbs(above: readonly VirtualPath[], count: number): readonly VirtualPath[] {
  const between = above.slice(1, -1);
  if (count <= between.length) return between.slice(0, count);
  return count < above.length ? above.slice(0, -1) : above;
}
