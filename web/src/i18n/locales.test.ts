import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { locales, type LocaleCode } from '@filestead/contract/values/locales';
import { describe, expect, test } from 'vitest';
import { pluralSuffix, withoutPlural, type Texts } from './english-fallback.ts';
import { languageTagOf } from './language-tag.ts';
import { sameAsEnglish } from './same-as-english.ts';

const folder = join(import.meta.dirname, 'locales');

/** Returns all texts of a locale, by `namespace:key`. */
function textsOf(locale: LocaleCode): Map<string, string> {
  const texts = new Map<string, string>();
  const collect = (prefix: string, tree: Texts): void => {
    for (const [key, value] of Object.entries(tree)) {
      const path = prefix.endsWith(':') ? `${prefix}${key}` : `${prefix}.${key}`;
      if (typeof value === 'string') texts.set(path, value);
      else collect(path, value);
    }
  };
  if (!existsSync(join(folder, locale))) return texts;
  for (const file of readdirSync(join(folder, locale)).filter((name) => name.endsWith('.json'))) {
    const tree = JSON.parse(readFileSync(join(folder, locale, file), 'utf8')) as Texts;
    collect(`${file.slice(0, -'.json'.length)}:`, tree);
  }
  return texts;
}

/** Returns the names between double braces. */
const placeholders = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{\{\s*(\w+)[^}]*\}\}/gu)].map(([, name = '']) => name))].sort();

const english = textsOf('en');
/** Keys of texts with plural forms, without their suffixes. */
const pluralKeys = new Set([...english.keys()].filter((key) => pluralSuffix.test(key)).map(withoutPlural));

/**
 * Returns the keys of a complete translation: texts with plural forms have one key per plural category of the language.
 */
function expectedKeys(locale: LocaleCode): string[] {
  const { pluralCategories } = new Intl.PluralRules(languageTagOf(locale)).resolvedOptions();
  const keys = [...english.keys()].filter((key) => !pluralSuffix.test(key));
  for (const key of pluralKeys) {
    for (const category of pluralCategories) keys.push(`${key}_${category}`);
  }
  return keys.sort();
}

/** Returns the English text for a key of another language, whose plural categories may differ. */
const englishFor = (key: string): string =>
  english.get(key) ?? english.get(`${withoutPlural(key)}_other`) ?? english.get(withoutPlural(key)) ?? '';

/** Whether a text contains words: more than placeholders, signs, and names that are the same in all languages. */
const hasWords = (text: string): boolean =>
  /\p{L}{2}/u.test(
    text
      .replaceAll(/\{\{[^}]*\}\}/gu, '')
      .replaceAll(/\b(?:Filestead|PDF|UTF-8|LF|CRLF|CSV|EPUB|QR|URL|ZIP|TAR|MD5|SHA|HTML|Markdown)\b/gu, ''),
  );

const others = locales.filter((locale) => locale !== 'en');

describe.each(others)('%s', (locale) => {
  const texts = textsOf(locale);

  const expected = expectedKeys(locale);

  test('has no text that English does not have, and no plural form of another language', () => {
    expect([...texts.keys()].filter((key) => !expected.includes(key))).toEqual([]);
  });

  test('has all plural forms of a text that it has', () => {
    const translated = new Set([...texts.keys()].map(withoutPlural));
    const incomplete = expected.filter((key) => translated.has(withoutPlural(key)) && !texts.has(key));
    expect(incomplete).toEqual([]);
  });

  // Missing texts are shown in English (english-fallback.ts), so that a new text does not need 22 translations at once.
  test('reports the texts that are still in English', async ({ annotate }) => {
    const missing = expected.filter((key) => !texts.has(key));
    if (missing.length > 0) await annotate(`${missing.length} texts are missing: ${missing.join(', ')}`);
    expect(missing.length).toBeLessThan(expected.length);
  });

  test('names the same placeholders as English', () => {
    const different = [...texts].filter(([key, text]) => {
      const inEnglish = placeholders(englishFor(key));
      const actual = placeholders(text);
      // A form that is used for one number only may spell it out, as in "One file".
      const isSpelledOut =
        /_(?:zero|one|two)$/u.test(key) && actual.every((name) => inEnglish.includes(name));
      return !isSpelledOut && inEnglish.join(' ') !== actual.join(' ');
    });
    expect(different).toEqual([]);
  });

  test('leaves nothing in English by accident', () => {
    const allowed = new Set(sameAsEnglish[locale] ?? []);
    const untranslated = [...texts].filter(
      ([key, text]) => text === englishFor(key) && hasWords(text) && !allowed.has(withoutPlural(key)),
    );
    expect(untranslated).toEqual([]);
  });

  test('names the number where a plural form is used for several numbers', () => {
    const rules = new Intl.PluralRules(languageTagOf(locale));
    const pluralCategories = new Set(
      rules.resolvedOptions().pluralCategories.filter((category) => {
        const numbers = Array.from({ length: 200 }, (_, index) => index + 1);
        return numbers.filter((number) => rules.select(number) === category).length > 1;
      }),
    );
    const withoutNumber = [...texts].filter(([key, text]) => {
      const isAmbiguous = [...pluralCategories].some((category) => key.endsWith(`_${category}`));
      const isNamed = placeholders(english.get(`${withoutPlural(key)}_other`) ?? '').includes('number');
      return isAmbiguous && isNamed && !placeholders(text).includes('number');
    });
    expect(withoutNumber).toEqual([]);
  });

  test('has no empty text', () => {
    expect([...texts].filter(([, text]) => text.trim() === '')).toEqual([]);
  });
});

// A percentage in Arabic contains left-to-right marks: at the beginning, it would decide the direction of the whole line.
test.each(['ar', 'he'] as const)('isolates a percentage at the beginning of a text: %s', (locale) => {
  expect([...textsOf(locale)].filter(([, text]) => text.startsWith('{{percent}}'))).toEqual([]);
});

test('keeps listing only texts that equal the English one', () => {
  const outdated = Object.entries(sameAsEnglish).flatMap(([locale, keys]) => {
    const texts = textsOf(locale as LocaleCode);
    const isSame = (key: string): boolean =>
      [...texts].some(([name, text]) => withoutPlural(name) === key && text === englishFor(name));
    return keys.filter((key) => !isSame(key));
  });
  expect(outdated).toEqual([]);
});

describe('English', () => {
  test('has no empty text', () => {
    expect([...english].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  const sources = readdirSync(join(import.meta.dirname, '..'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/u.test(file) && !/\.test\.tsx?$/u.test(file))
    .map((file) => readFileSync(join(import.meta.dirname, '..', file), 'utf8'))
    .join('\n');
  /** The fixed parts of template literals, such as `actions.` and the empty text in `actions.${id}`. */
  const templates = [...sources.matchAll(/`([^`\n]*\$\{[^`\n]*)`/gu)].map(([, inner = '']) => {
    const parts = inner.split(/\$\{[^}]*\}/u);
    return new RegExp(
      `^${parts.map((part) => part.replaceAll(/[.*+?^$(){}|[\]\\]/gu, String.raw`\$&`)).join('.+')}$`,
      'u',
    );
  });
  const meaningful = templates.filter((pattern) => /[a-z]{3}/iu.test(pattern.source));

  /** The words in quotation marks, which may be keys. */
  const quoted = new Set(
    Array.from(sources.matchAll(/(['"`])([\w.:-]+)(?=\1)/gu), ([, , word = '']) => word),
  );

  test('has no unused text', () => {
    expect(quoted.size).toBeGreaterThan(1000);
    const unused = [...new Set([...english.keys()].map(withoutPlural))].filter((key) => {
      const name = key.slice(key.indexOf(':') + 1);
      return (
        !quoted.has(name) &&
        !quoted.has(key) &&
        !meaningful.some((pattern) => pattern.test(name) || pattern.test(key))
      );
    });
    expect(unused).toEqual([]);
  });
});
