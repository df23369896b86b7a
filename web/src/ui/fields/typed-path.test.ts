import { expect, test } from 'vitest';
import { pathOfText } from './typed-path.ts';

test('parses a typed text into a path, or null', () => {
  expect(pathOfText(' private//x/ ')).toBe('/private/x');
  expect(pathOfText('/a/../b')).toBeNull();
});
