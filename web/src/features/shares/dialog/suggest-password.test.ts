import { expect, test } from 'vitest';
import { suggestPassword } from './suggest-password.ts';

test('suggests two pronounceable words and a number, each time other ones', () => {
  const passwords = Array.from({ length: 50 }, suggestPassword);
  for (const password of passwords) {
    expect(password).toMatch(/^(?:[^aeiou][aeiou]){2}[^aeiou]-(?:[^aeiou][aeiou]){2}[^aeiou]-[1-9]\d$/u);
  }
  expect(new Set(passwords).size).toBe(50);
});
