import { expect, test } from 'vitest';
import { displayName } from './display-name.ts';

test.each([
  ['report 2026.pdf', 'report 2026.pdf'],
  ['  two  spaces ', '  two  spaces '],
  ['ملف عربي.txt', 'ملف عربي.txt'],
  ['photo\u202Egnp.exe', 'photo\uFFFDgnp.exe'],
  ['a\u2067b\u2069', 'a\uFFFDb\uFFFD'],
  ['new\nline\tand\u007F', 'new\u240Aline\u2409and\u2421'],
  ['caf\u{10FEE9}.txt', 'caf\\xE9.txt'],
  ['\u{10FEFF}\u{10FEFE}', '\\xFF\\xFE'],
])('shows %j as %j', (name, expected) => {
  expect(displayName(name)).toBe(expected);
});
