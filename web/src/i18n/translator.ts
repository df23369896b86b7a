import type { i18n as I18next, TFunction } from 'i18next';
import type { Texts } from './english-fallback.ts';
import type { Namespace } from './namespaces.ts';

type Translate = I18next['t'];

/** The options of a text: its values by name, `count` for its plural form, and the namespaces to search. */
type Options = Readonly<Record<string, unknown>>;

/** Replaces `{{name}}` with the value of that name. A value that is missing is left out. */
const interpolate = (text: string, values: Options): string =>
  text.replaceAll(/\{\{\s*(\w+)\s*\}\}/gu, (_all, name: string) => {
    const value = values[name];
    return value === undefined || value === null ? '' : String(value);
  });

/**
 * The texts of the page by language and namespace, and the current language. Understands the part of the i18next format
 * that the texts use: nested keys, `{{values}}`, plural suffixes, and `namespace:key`. The library itself would be a
 * tenth of the first page load; its types check the keys, and a test compares the results.
 */
export class Translator {
  readonly #fallback: string;
  readonly #texts = new Map<string, Map<string, Texts>>();
  readonly #plurals = new Map<string, Intl.PluralRules>();
  readonly #listeners = new Set<() => void>();
  #translators = new Map<string, Translate>();
  #language: string;

  /** @param fallback BCP 47 tag of the first language, which is also used for missing texts. */
  constructor(fallback: string) {
    this.#fallback = fallback;
    this.#language = fallback;
  }

  /** Calls `listener` after the language has changed or texts have been added. Returns the function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns the text of a key; the key itself if there is none. */
  readonly t: Translate = ((key: string, options?: Options) =>
    this.#translate(key, options, 'common')) as Translate;

  /**
   * Returns the translate function of some namespaces, which are searched in this order. It is the same function until
   * the language changes or texts are added, so that views can depend on it.
   */
  translatorOf<const Ns extends Namespace | readonly [Namespace, ...Namespace[]]>(
    namespaces: Ns,
  ): TFunction<Ns> {
    const id = String(namespaces);
    let translate = this.#translators.get(id);
    if (translate === undefined) {
      translate = ((key: string, options?: Options) =>
        this.#translate(key, options, namespaces)) as Translate;
      this.#translators.set(id, translate);
    }
    return translate as TFunction<Ns>;
  }

  exists(key: string, { ns }: { ns: Namespace }): boolean {
    return this.#find(key, ns, undefined) !== null;
  }

  hasTexts(language: string, namespace: string): boolean {
    return this.#texts.get(language)?.has(namespace) === true;
  }

  addTexts(language: string, namespace: string, texts: Texts): void {
    const ofLanguage = this.#texts.get(language) ?? new Map<string, Texts>();
    this.#texts.set(language, ofLanguage.set(namespace, texts));
    this.#notify();
  }

  removeTexts(language: string, namespace: string): void {
    this.#texts.get(language)?.delete(namespace);
  }

  /** Shows the texts of another language, a BCP 47 tag, from now on. */
  changeLanguage(language: string): void {
    if (language === this.#language) return;
    this.#language = language;
    this.#notify();
  }

  #notify(): void {
    this.#translators = new Map();
    for (const listener of this.#listeners) listener();
  }

  #translate(key: string, options: Options = {}, namespaces: string | readonly string[]): string {
    const chosen = (options['ns'] ?? namespaces) as string | readonly string[];
    const count = typeof options['count'] === 'number' ? options['count'] : undefined;
    const text = this.#find(key, chosen, count);
    return text === null ? key : interpolate(text, options);
  }

  #find(key: string, namespaces: string | readonly string[], count: number | undefined): string | null {
    const colon = key.indexOf(':');
    const path = key.slice(colon + 1).split('.');
    const searched = colon > 0 ? [key.slice(0, colon)] : [namespaces].flat();
    for (const namespace of searched) {
      for (const language of [this.#language, this.#fallback]) {
        const texts = this.#texts.get(language)?.get(namespace);
        const text = texts && this.#textAt(texts, path, count, language);
        if (text !== undefined) return text;
      }
    }
    return null;
  }

  /** Returns the text at a path of keys, in the plural form of `count` if there is one. */
  #textAt(
    texts: Texts,
    path: readonly string[],
    count: number | undefined,
    language: string,
  ): string | undefined {
    let folder: string | Texts | undefined = texts;
    for (const name of path.slice(0, -1)) folder = typeof folder === 'object' ? folder[name] : undefined;
    if (typeof folder !== 'object') return undefined;
    const name = path.at(-1) ?? '';
    const forms =
      count === undefined
        ? [name]
        : [...(count === 0 ? [`${name}_zero`] : []), `${name}_${this.#pluralOf(count, language)}`, name];
    for (const form of forms) {
      const text = folder[form];
      if (typeof text === 'string') return text;
    }
    return undefined;
  }

  #pluralOf(count: number, language: string): string {
    let rules = this.#plurals.get(language);
    if (rules === undefined) this.#plurals.set(language, (rules = new Intl.PluralRules(language)));
    return rules.select(count);
  }
}
