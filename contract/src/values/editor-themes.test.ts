import { expect, test } from 'vitest';
import { editorThemeOf, editorThemes } from './editor-themes.ts';
import { EditorTheme } from '../users.ts';

test('stores each palette under a name that refers to it', () => {
  for (const { name } of editorThemes) {
    expect(EditorTheme.parse(name)).toBe(name);
    expect(editorThemeOf(name)).toBe(name);
  }
});

test.each([
  ['', null],
  ['unheard-of', null],
  ['chrome', 'github'],
  ['cloud9_day', 'github'],
  ['github-light-default', 'github'],
  ['textmate', 'tomorrow'],
  ['twilight', 'one_dark'],
  ['dark-one', 'one_dark'],
  ['ayu-dark', 'one_dark'],
  ['tomorrow_night_blue', 'one_dark'],
  ['Solarized-Dark', 'solarized_dark'],
  ['gruvbox_light_hard', 'solarized_light'],
  ['gruvbox_dark_hard', 'monokai'],
])('maps %j of another client to %j', (stored, expected) => {
  expect(editorThemeOf(stored)).toBe(expected);
});
