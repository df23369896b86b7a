import type { LocaleCode } from '@filestead/contract/locales';

/**
 * Texts that are the same words in a language as in English, by `namespace:key` without a plural ending. A test takes
 * every other text that equals the English one for a forgotten translation.
 */
export const sameAsEnglish: Partial<Record<LocaleCode, readonly string[]>> = {
  de: [
    'app:frame.themes.system',
    'commands:title',
    'common:format.kibibyte',
    'common:format.mebibyte',
    'common:format.gibibyte',
    'common:format.tebibyte',
    'common:format.pebibyte',
    'editor:status.label',
    'files:actions.toggleDetails',
    'files:actions.toggleShell',
    'files:densities.normal',
    'files:sort.name',
    'files:name.label',
    'files:archive.format',
    'files:details.title',
    'files:kinds.text',
    'files:kinds.textImmutable',
    'files:kinds.audio',
    'files:kinds.video',
    'listing:columns.name',
    'previews:info',
    'previews:archive.name',
    'search:type.video',
    'settings:global.shellField',
    'settings:global.branding',
    'settings:global.uploads',
    'shares:prompt.links',
    'shares:prompt.address',
    'uploads:title',
    'users:list.admin',
    'users:form.sortKeys.name',
    'users:permissions.admin',
    'users:rules.patternPlaceholder',
  ],
};
