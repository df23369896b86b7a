import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { i18n } from './i18n.ts';
import { isolateBidi } from './isolate-bidi.ts';

/** Returns the name of a folder for use in a sentence. */
export const folderName = (path: VirtualPath): string =>
  path === '/' ? i18n.t('root', { ns: 'files' }) : isolateBidi(nameOf(path));
