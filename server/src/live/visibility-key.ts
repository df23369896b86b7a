import type { Rule } from '@filestead/contract/rules';
import type { User } from '@filestead/contract/users';

/** Returns a string that is the same for users who see the same entries of the same files. */
export const visibilityKeyOf = (
  { scope, hideDotfiles, rules }: Pick<User, 'scope' | 'hideDotfiles' | 'rules'>,
  globalRules: readonly Rule[],
): string => JSON.stringify([scope, hideDotfiles, rules, globalRules]);
