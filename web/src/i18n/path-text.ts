import { parentOf, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { i18n } from './i18n.ts';
import { isolateBidi } from './isolate-bidi.ts';

/**
 * Returns a path for reading, as "Documents / House"; `root` for the root. Each of several names is isolated: in a page from left to
 * right, an Arabic name would otherwise change places with a number after it. The order is that of the page, so that it needs no `bdi`.
 */
export function pathText(path: VirtualPath, root: string): string {
  const names = segmentsOf(path);
  return names.length > 1 ? names.map(isolateBidi).join(' / ') : (names[0] ?? root);
}

/** Returns a path of the user's files for reading, as {@link pathText} does. */
export const placeText = (path: VirtualPath): string => pathText(path, i18n.t('root', { ns: 'files' }));

/** Returns the folder that contains an entry for reading, as {@link pathText} does. */
export const locationText = (path: VirtualPath, root: string): string => pathText(parentOf(path), root);

/** Returns a path for reading that begins with the root, as "My files / Documents / House". */
export const pathFromRoot = (path: VirtualPath, root: string): string =>
  [root, ...segmentsOf(path).map(isolateBidi)].join(' / ');
