import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { randomOf } from '../../../test/random.ts';
import { matchesPattern } from './match-find.ts';
import { compilePattern } from './name-pattern.ts';

const matches = (pattern: string, name: string): boolean => {
  const bytes = Buffer.from(`before\0${name}\0after`);
  return compilePattern(pattern).matches(bytes, 7, bytes.length - 6);
};

test.each([
  ['budget*.docx', 'budget 2026.docx', true],
  ['budget*.docx', 'my budget.docx', false],
  ['*.jp?g', 'a.jpeg', true],
  ['*.jp?g', 'a.jpg', false],
  ['?', '写', true],
  ['??', '写', false],
  ['*', '', true],
  ['a*', 'a', true],
  ['*a*b*', 'xxaxxbxx', true],
  ['*ab', 'aab', true],
  ['', '', true],
  ['', 'a', false],
])('matches %j with %j: %s', (pattern, name, expected) => {
  expect(matches(pattern, name)).toBe(expected);
});

test('matches as the definition does', () => {
  const random = randomOf(5);
  const text = (letters: readonly string[], length: number): string =>
    Array.from({ length: random.below(length) }, () => random.pick(letters)).join('');
  for (let i = 0; i < 5_000; i++) {
    const [pattern, name] = [text(['a', 'b', '写', '*', '?'], 8), text(['a', 'b', '写', '😀'], 10)];
    expect(matches(pattern, name), `${pattern} ${name}`).toBe(matchesPattern(pattern, name));
  }
});
