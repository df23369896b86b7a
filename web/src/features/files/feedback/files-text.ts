import { i18n } from '../../../i18n/i18n.ts';

/** Translates texts of the `files` namespace outside components. */
export const filesText = i18n.translatorOf('files');
