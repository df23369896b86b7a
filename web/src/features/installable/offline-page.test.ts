import { afterEach, expect, test } from 'vitest';
import { i18n } from '../../i18n/i18n.ts';
import { texts } from '../../i18n/locales/en/index.ts';
import { offlinePage } from './offline-page.ts';

const parse = () => new DOMParser().parseFromString(offlinePage(), 'text/html');

afterEach(() => {
  i18n.addTexts('en-GB', 'installable', texts.installable);
  for (const name of ['lang', 'dir', 'data-theme']) document.documentElement.removeAttribute(name);
});

test('has the language, direction and theme of the page that created it', () => {
  Object.assign(document.documentElement, { lang: 'ar', dir: 'rtl' });
  document.documentElement.dataset['theme'] = 'dark';
  const { documentElement } = parse();
  expect([documentElement.lang, documentElement.dir, documentElement.dataset['theme']]).toEqual([
    'ar',
    'rtl',
    'dark',
  ]);
});

test('explains the failure and links back to the same address', () => {
  const page = parse();
  expect(page.querySelector('h1')?.textContent).toBe("Can't reach Filestead");
  expect(page.querySelector('p')?.textContent).toContain('Your files are safe on the server.');
  expect(page.querySelector('a')?.getAttribute('href')).toBe('');
  expect(page.querySelector('script')).toBeNull();
});

test('escapes markup in translated texts', () => {
  const { offline } = texts.installable;
  const title = '<img src=x> & more';
  i18n.addTexts('en-GB', 'installable', { offline: { ...offline, title } });
  const page = parse();
  expect(page.querySelector('img')).toBeNull();
  expect(page.querySelector('h1')?.textContent).toBe('<img src=x> & more');
});
