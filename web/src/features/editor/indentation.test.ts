import { Text } from '@codemirror/state';
import { expect, test } from 'vitest';
import { parseSettings } from './editor-settings.ts';
import { detectIndentation } from './indentation.ts';

test.each([
  ['a\n  b\n    c\n  d', '  '],
  ['a\n    b\n        c\n', '    '],
  ['a\n\tb\n\t\tc', '\t'],
  ['no\nindentation', '  '],
  ['', '  '],
])('detects the indentation of %j as %j', (content, step) => {
  expect(detectIndentation(Text.of(content.split('\n')))).toBe(step);
});

test('replaces invalid stored settings with the defaults', () => {
  expect(parseSettings({ isWrapped: false, tabSize: 8 })).toMatchObject({ isWrapped: false, tabSize: 8 });
  expect(parseSettings({ isWrapped: 'no', tabSize: 3 })).toMatchObject({ isWrapped: true, tabSize: 4 });
  expect(parseSettings('text')).toMatchObject({ isWrapped: true, tabSize: 4 });
  expect(parseSettings(null)).toMatchObject({ isWrapped: true, tabSize: 4 });
});
