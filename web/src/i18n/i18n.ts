import i18next, { type ResourceLanguage } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { LocaleCode } from '@filestead/contract/locales';
import { chooseLocale, directionOf, languageTagOf, type Direction } from './locale.ts';
import { texts } from './locales/en/index.ts';

type LoadTexts = () => Promise<{ texts: ResourceLanguage }>;

/** One chunk per locale; English is part of the page, the others arrive when they are chosen. */
const loaders = new Map<LocaleCode, LoadTexts>();
for (const [file, load] of Object.entries(
  import.meta.glob<{ texts: ResourceLanguage }>(['./locales/*/index.ts', '!./locales/en/index.ts']),
)) {
  const code = /\/locales\/([^/]+)\//u.exec(file)?.[1];
  if (code !== undefined) loaders.set(code as LocaleCode, load);
}

let shown: LocaleCode = 'en';
/** Rises with every choice, so that a slow answer to an older choice is dropped. */
let choice = 0;

export const i18n = i18next;

// Without a language the texts would be keys until the first choice, in tests and in error screens too.
void i18n.use(initReactI18next).init({
  lng: languageTagOf('en'),
  fallbackLng: languageTagOf('en'),
  load: 'currentOnly',
  resources: { [languageTagOf('en')]: texts },
  ns: Object.keys(texts),
  defaultNS: 'common',
  initAsync: false,
  interpolation: { escapeValue: false },
  react: { useSuspense: false },
});

/** The locales that can be shown. */
export function availableLocales(): ReadonlySet<LocaleCode> {
  return new Set<LocaleCode>(['en', ...loaders.keys()]);
}

/** Adds a locale whose texts come from `load`; its missing texts are shown in English. */
export function addLocale(code: LocaleCode, load: LoadTexts): void {
  loaders.set(code, load);
}

export function currentLocale(): LocaleCode {
  return shown;
}

/** The BCP 47 tag for `Intl`. */
export function currentLanguageTag(): string {
  return languageTagOf(shown);
}

export function currentDirection(): Direction {
  return directionOf(shown);
}

/**
 * Shows the page in the locale that suits a user best (`''`: the browser's languages decide) and returns it. Language
 * and direction change together, once the texts are there; when they cannot be loaded the page stays as it is and the
 * error is thrown.
 */
export async function showLocale(
  userLocale: string,
  browserLanguages: readonly string[] = navigator.languages,
): Promise<LocaleCode> {
  const locale = chooseLocale(userLocale, browserLanguages, availableLocales());
  const mine = ++choice;
  const tag = languageTagOf(locale);
  const load = loaders.get(locale);
  if (load !== undefined && !i18n.hasResourceBundle(tag, 'common')) {
    const loaded = await load();
    for (const [namespace, bundle] of Object.entries(loaded.texts)) {
      i18n.addResourceBundle(tag, namespace, bundle);
    }
  }
  if (mine !== choice) return shown;
  shown = locale;
  applyToDocument();
  await i18n.changeLanguage(tag);
  return locale;
}

function applyToDocument(): void {
  const root = document.documentElement;
  root.lang = currentLanguageTag();
  root.dir = currentDirection();
  // Product specification §1: branding style sheets may look for this class.
  document.body.classList.toggle('rtl', currentDirection() === 'rtl');
}
