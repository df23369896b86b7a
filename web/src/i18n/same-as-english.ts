import type { LocaleCode } from '@filestead/contract/locales';

/**
 * Texts that are the same words in a language as in English, by `namespace:key` without a plural ending. A test takes
 * every other text that equals the English one for a forgotten translation.
 */
export const sameAsEnglish: Partial<Record<LocaleCode, readonly string[]>> = {};
