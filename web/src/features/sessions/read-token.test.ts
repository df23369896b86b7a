import { describe, expect, test } from 'vitest';
import { readToken } from './read-token.ts';
import { ada, tokenOf } from './test-token.ts';

describe('readToken', () => {
  test('returns the user, including letters beyond ASCII, and the expiry', () => {
    expect(readToken(tokenOf(ada, 1_800_000_000_000))).toEqual({ user: ada, expiresAtMs: 1_800_000_000_000 });
  });

  test.each([
    ['two parts', tokenOf(ada).split('.').slice(0, 2).join('.')],
    ['four parts', `${tokenOf(ada)}.x`],
    ['a payload that is not base64', 'a.!.c'],
    ['a payload that is not JSON', `a.${btoa('hello')}.c`],
    ['a payload without a user', `a.${btoa('{"exp":1}')}.c`],
    ['a payload that is null', `a.${btoa('null')}.c`],
    ['an empty text', ''],
  ])('returns null for %s', (_name, token) => {
    expect(readToken(token)).toBeNull();
  });
});
