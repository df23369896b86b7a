/**
 * Returns the folders above the shown one, from the top, that move into a menu when `count` of them do not fit: first
 * those between the root and the nearest one, then the root, the nearest last.
 */
export function hiddenCrumbs<Folder>(above: readonly Folder[], count: number): readonly Folder[] {
  const between = above.slice(1, -1);
  if (count <= between.length) return between.slice(0, count);
  return count < above.length ? above.slice(0, -1) : above;
}
