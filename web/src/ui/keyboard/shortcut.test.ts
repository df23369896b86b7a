import { afterEach, expect, test } from 'vitest';
import { showLocale } from '../../i18n/i18n.ts';
import { shortcutLabel } from './shortcut.ts';

afterEach(async () => {
  await showLocale('en', []);
});

test('keys have the names of the language on keyboards of PCs', async () => {
  await showLocale('en', []);
  expect(shortcutLabel('Mod+Shift+ArrowUp')).toBe('Ctrl+Shift+↑');
  await showLocale('de', []);
  expect(['Mod+K', 'Ctrl', 'Shift+Delete', 'Escape'].map(shortcutLabel)).toEqual([
    'Strg+K',
    'Strg',
    'Umschalt+Entf',
    'Esc',
  ]);
  await showLocale('fr', []);
  expect(['Mod+Enter', 'Shift+F10', 'Escape'].map(shortcutLabel)).toEqual([
    'Ctrl+Entrée',
    'Maj+F10',
    'Échap',
  ]);
});
