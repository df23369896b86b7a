import { loadersOf } from 'virtual:texts';
import type { LocaleCode } from '@filestead/contract/values/locales';
import { withBritishSpelling } from './british-spelling.ts';
import type { Texts } from './english-fallback.ts';
import { hasBritishSpelling, languageTagOf, regionalTagOf } from './language-tag.ts';
import { chooseLocale, directionOf, type Direction } from './locale.ts';
import { coreNamespaces, type Namespace } from './namespaces.ts';
import { Translator } from './translator.ts';

type LoadTexts = (namespace: Namespace) => Promise<Texts>;

/** The text loaders by locale. No texts are part of the page's own code, so that only one language is fetched. */
const loaders = new Map<LocaleCode, LoadTexts>();
for (const [code, { core, more }] of Object.entries(loadersOf)) {
  loaders.set(code as LocaleCode, async (namespace) => {
    const isCore = coreNamespaces.some((name) => name === namespace);
    const texts = (await (isCore ? core : more)()).texts[namespace];
    return typeof texts === 'object' ? texts : {};
  });
}

let current: LocaleCode = 'en';
/** Incremented with every choice, so that a late response to an earlier choice is dropped. */
let choice = 0;
/** The namespaces that the page has needed so far; a change of language fetches all of them. */
const neededNamespaces = new Set<Namespace>(coreNamespaces);

export const i18n = new Translator(languageTagOf('en'));

/** Fetches the texts that are not loaded yet. Throws if one cannot be fetched. */
async function fetchTexts(locale: LocaleCode, namespaces: Iterable<Namespace>): Promise<void> {
  const load = loaders.get(locale);
  if (load === undefined) return;
  const tag = languageTagOf(locale);
  const missing = [...namespaces].filter((namespace) => !i18n.hasTexts(tag, namespace));
  const fetched = await Promise.all(missing.map(async (name) => [name, await load(name)] as const));
  const isBritish = locale === 'en' && hasBritishSpelling(regionalTagOf(locale));
  for (const [namespace, texts] of fetched)
    i18n.addTexts(tag, namespace, isBritish ? withBritishSpelling(texts) : texts);
}

/** Fetches the texts of a part of the product that is not on the first page. Throws if that fails. */
export async function loadTexts(...namespaces: readonly Namespace[]): Promise<void> {
  for (const namespace of namespaces) neededNamespaces.add(namespace);
  let locale: LocaleCode;
  do {
    locale = current;
    await fetchTexts(locale, namespaces);
  } while (locale !== current);
}

/** Returns the locales that can be shown. */
export function availableLocales(): ReadonlySet<LocaleCode> {
  return new Set<LocaleCode>(loaders.keys());
}

/** Adds or replaces a locale whose texts are loaded by `load`; missing texts are shown in English if that is loaded. */
export function addLocale(code: LocaleCode, load: () => Promise<{ texts: Texts }>): void {
  for (const namespace of neededNamespaces) i18n.removeTexts(languageTagOf(code), namespace);
  loaders.set(code, async (namespace) => {
    const texts = (await load()).texts[namespace];
    return typeof texts === 'object' ? texts : {};
  });
}

export function currentLocale(): LocaleCode {
  return current;
}

/** Returns the BCP 47 tag of the current locale and region, for `Intl`. */
export function currentLanguageTag(): string {
  return regionalTagOf(current);
}

export function currentDirection(): Direction {
  return directionOf(current);
}

/**
 * Shows the page in the locale that suits a user best (`''`: according to the browser's languages) and returns it.
 * Language and direction change together once the texts are loaded; if they cannot be loaded, the page stays as it is
 * and the error is thrown.
 */
export async function showLocale(
  userLocale: string,
  browserLanguages: readonly string[] = navigator.languages,
): Promise<LocaleCode> {
  const locale = chooseLocale(userLocale, browserLanguages, availableLocales());
  const thisChoice = ++choice;
  const tag = languageTagOf(locale);
  await fetchTexts(locale, neededNamespaces);
  if (thisChoice !== choice) return current;
  current = locale;
  applyToDocument();
  i18n.changeLanguage(tag);
  return locale;
}

function applyToDocument(): void {
  const root = document.documentElement;
  root.lang = currentLanguageTag();
  root.dir = currentDirection();
  // Branding style sheets may depend on this class (docs/reference/behaviour.md §1).
  document.body.classList.toggle('rtl', currentDirection() === 'rtl');
}
