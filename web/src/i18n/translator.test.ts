import { createInstance } from 'i18next';
import { expect, test } from 'vitest';
import { withEnglishFallback, withoutPlural, type Texts } from './english-fallback.ts';
import { texts as english } from './locales/en/index.ts';
import type { Namespace } from './namespaces.ts';
import { Translator } from './translator.ts';

const files = import.meta.glob<Texts>('./locales/*/*.json', { eager: true, import: 'default' });
const counts = [0, 1, 2, 3, 5, 11, 21, 100, 1.5];

/** Returns the keys of all texts, each with whether it has plural forms. */
const keysOf = (texts: Texts, prefix = ''): (readonly [key: string, hasPlural: boolean])[] =>
  Object.entries(texts).flatMap(([name, value]) => {
    const single = withoutPlural(name);
    return typeof value === 'string'
      ? [[`${prefix}${single}`, single !== name] as const]
      : keysOf(value, `${prefix}${name}.`);
  });

/** Returns a distinct value for each placeholder in the texts, with characters that are special in HTML and in replacements. */
const valuesIn = (texts: Texts): Record<string, string> =>
  Object.fromEntries(
    [...JSON.stringify(texts).matchAll(/\{\{\s*(\w+)/gu)]
      .map(([, name = '']) => [name, `<${name}> & $1`])
      .filter(([name]) => name !== 'count'),
  );

test.each(['en', 'ar', 'de', 'fr', 'pl', 'ja', 'ro'])(
  'returns the same texts as i18next, with every plural form: %s',
  async (tag) => {
    const reference = createInstance();
    await reference.init({
      lng: tag,
      fallbackLng: 'en-GB',
      load: 'currentOnly',
      ns: [],
      resources: {},
      interpolation: { escapeValue: false },
    });
    const translator = new Translator('en-GB');
    translator.changeLanguage(tag);
    for (const [namespace, texts] of Object.entries(english)) {
      const own = files[`./locales/${tag}/${namespace}.json`] ?? {};
      const merged = withEnglishFallback(own, texts, tag);
      for (const [language, bundle] of [
        ['en-GB', texts],
        [tag, merged],
      ] as const) {
        reference.addResourceBundle(language, namespace, bundle);
        translator.addTexts(language, namespace, bundle);
      }
    }
    let compared = 0;
    const different: unknown[] = [];
    for (const [namespace, texts] of Object.entries(english)) {
      const values = valuesIn(texts);
      for (const [key, hasPlural] of new Map(keysOf(texts))) {
        // A count changes nothing where there are no forms to choose from.
        for (const count of [undefined, ...(hasPlural ? counts : [2])]) {
          const options = { ns: namespace as Namespace, ...values, ...(count !== undefined && { count }) };
          const name = key as 'cancel';
          const [own, expected] = [translator.t(name, options), reference.t(name, options)];
          if (own !== expected) different.push({ key: `${namespace}:${key}`, count, own, expected });
          compared += 1;
        }
      }
    }
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThan(5000);
  },
);

test('searches several namespaces in order, and one that the key names', () => {
  const translator = new Translator('en');
  translator.addTexts('en', 'files', { name: 'of files', only: { here: 'nested' } });
  translator.addTexts('en', 'listing', { name: 'of the listing' });
  const t = translator.translatorOf(['listing', 'files']) as (key: string) => string;
  expect([t('name'), t('files:name'), t('only.here'), t('only'), t('missing')]).toEqual([
    'of the listing',
    'of files',
    'nested',
    'only',
    'missing',
  ]);
  expect(translator.exists('only.here', { ns: 'files' })).toBe(true);
  expect(translator.exists('only.here', { ns: 'listing' })).toBe(false);
});

test('returns the same function until the language changes or texts arrive', () => {
  const translator = new Translator('en');
  const first = translator.translatorOf('files');
  expect(translator.translatorOf('files')).toBe(first);
  translator.addTexts('en', 'files', {});
  const second = translator.translatorOf('files');
  expect(second).not.toBe(first);
  translator.changeLanguage('en');
  expect(translator.translatorOf('files')).toBe(second);
  translator.changeLanguage('de');
  expect(translator.translatorOf('files')).not.toBe(second);
});
