import { parentOf, segmentsOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { displayName } from '../../i18n/display-name.ts';

/** The name of the folder that contains an entry. */
export const locationOf = (path: VirtualPath, root: string): string =>
  segmentsOf(parentOf(path)).map(displayName).join(' / ') || root;
