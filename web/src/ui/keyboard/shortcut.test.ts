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
  expect([shortcutLabel('Mod+K'), shortcutLabel('Ctrl'), shortcutLabel('Delete')]).toEqual([
    'Strg+K',
    'Strg',
    'Del',
  ]);
});
