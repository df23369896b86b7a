import type { Rule } from '@filestead/contract/rules';
import type { User } from '@filestead/contract/users';

/** A text that is equal for users who see the same entries of the same files. */
export const sightOf = (
  { scope, hideDotfiles, rules }: Pick<User, 'scope' | 'hideDotfiles' | 'rules'>,
  globalRules: readonly Rule[],
): string => JSON.stringify([scope, hideDotfiles, rules, globalRules]);
