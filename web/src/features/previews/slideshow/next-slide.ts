import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { PreviewEntry } from '../preview-entry.ts';

/** Whether a slideshow shows an entry: pictures and videos. */
const isSlide = ({ type, size }: Pick<PreviewEntry, 'type' | 'size'>): boolean =>
  (type === 'image' || type === 'video') && size > 0;

/**
 * Returns the picture or video that follows the entry at `path`, and after the last one the first. Null if there is
 * no other one. `siblings` are in listing order.
 */
export function nextSlide(siblings: readonly PreviewEntry[], path: VirtualPath): PreviewEntry | null {
  const index = siblings.findIndex((entry) => entry.path === path);
  const after = siblings.slice(index + 1).find(isSlide) ?? siblings.find(isSlide) ?? null;
  return after?.path === path ? null : after;
}
