import type { texts } from './locales/en/index.ts';

/** The namespaces of the texts, one per feature. */
export type Namespace = keyof typeof texts;

/**
 * The namespaces of the first page: signing in and the files screen. All others are loaded with the part that needs
 * them.
 */
export const coreNamespaces = [
  'common',
  'app',
  'files',
  'installable',
  'listing',
] as const satisfies readonly Namespace[];
