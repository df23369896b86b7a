import { afterEach, expect, test } from 'vitest';
import { i18n } from '../../i18n/i18n.ts';
import { offlinePage } from './offline-page.ts';

const parse = () => new DOMParser().parseFromString(offlinePage(), 'text/html');

afterEach(() => {
  i18n.addResourceBundle('en-GB', 'installable', { offline: { title: 'You are offline' } }, true, true);
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
  expect(page.querySelector('h1')?.textContent).toBe('You are offline');
  expect(page.querySelector('p')?.textContent).toContain("Filestead can't be reached.");
  expect(page.querySelector('a')?.getAttribute('href')).toBe('');
  expect(page.querySelector('script')).toBeNull();
});

test('escapes markup in translated texts', () => {
  i18n.addResourceBundle('en-GB', 'installable', { offline: { title: '<img src=x> & more' } }, true, true);
  const page = parse();
  expect(page.querySelector('img')).toBeNull();
  expect(page.querySelector('h1')?.textContent).toBe('<img src=x> & more');
});
