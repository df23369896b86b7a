import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Product } from '../support/product.ts';

/** The role of the person who opens a screen. `user` has all permissions but the administrator's, with the same scope. */
export type Viewer = 'administrator' | 'user' | 'visitor';

/** The context in which a screen is opened. */
export interface Stage {
  readonly page: Page;
  readonly product: Product;
  /** The served folder, filled by `demo-tree.ts`. */
  readonly root: string;
  /** The administrator's token, for preparing data over the API. */
  readonly token: string;
  readonly isPhone: boolean;
  /** Returns the text of a key such as `files:actions.share`, in the language of this stage. */
  text(key: `${string}:${string}`, values?: Readonly<Record<string, string | number>>): string;
  /**
   * Goes to a path of the product and waits until no request is pending. `isNew` loads a new document, without uploads,
   * an open shell or other things that navigation keeps.
   */
  go(path: string, options?: { isNew?: boolean }): Promise<void>;
}

/** One screen or dialog of the product, as data: it is photographed and checked by axe. */
export interface Screen {
  /** Unique; the file name of the screenshot. */
  readonly name: string;
  readonly as: Viewer;
  /** Default: both. */
  readonly only?: 'desktop' | 'phone';
  /**
   * When the screen is compared with its reference picture. `always`: whenever it is checked, because it depends neither on earlier screens
   * nor on the machine. `never`: it shows times, the space of the disk, or responses in the order of their arrival. Default: by
   * `npm run screenshots -- compare`.
   */
  readonly picture?: 'always' | 'never';
  /** Opens the screen. Uses roles and {@link Stage.text}, so that it works in every language. */
  readonly open: (stage: Stage) => Promise<void>;
  /** Reverts changes that would be visible on later screens. */
  readonly close?: (stage: Stage) => Promise<void>;
}

type Texts = { readonly [key: string]: string | Texts };

const locales = join(import.meta.dirname, '..', '..', 'web', 'src', 'i18n', 'locales');

function lookUp(locale: string, namespace: string, key: string): string | null {
  let texts: string | Texts | undefined;
  try {
    texts = JSON.parse(readFileSync(join(locales, locale, `${namespace}.json`), 'utf8')) as Texts;
  } catch {
    return null;
  }
  for (const part of key.split('.')) texts = typeof texts === 'object' ? texts[part] : undefined;
  return typeof texts === 'string' ? texts : null;
}

/** Spells an English text as the page does in the browsers of the tests, whose region is Great Britain. */
const british = (text: string): string => text.replaceAll('avorite', 'avourite').replaceAll('olor', 'olour');

/** Returns {@link Stage.text} for a locale of the product; missing texts are in English. */
export function textOf(locale: string): Stage['text'] {
  return (key, values = {}) => {
    const [namespace = '', name = ''] = key.split(':');
    const text = lookUp(locale, namespace, name) ?? lookUp('en', namespace, name);
    if (text === null) throw new Error(`There is no text ${key}`);
    const spelled = locale === 'en' ? british(text) : text;
    return spelled.replaceAll(/\{\{(\w+)\}\}/gu, (_, value: string) => String(values[value] ?? ''));
  };
}
