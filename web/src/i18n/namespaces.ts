import type { texts } from './locales/en/index.ts';

/** The parts that the texts are divided into, as features are. */
export type Namespace = keyof typeof texts;

/** The texts of the first page: signing in and the files screen. All others come with the part that needs them. */
export const coreNamespaces = [
  'common',
  'app',
  'files',
  'installable',
  'listing',
  'uploads',
] as const satisfies readonly Namespace[];
