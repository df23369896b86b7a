import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { i18n } from '../../../i18n/i18n.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';

/** Translates texts of the `files` namespace outside components. */
export const filesText = i18n.translatorOf('files');

/** Returns the name of a folder for use in a sentence. */
export const folderName = (path: VirtualPath): string =>
  path === '/' ? filesText('root') : isolateBidi(nameOf(path));
