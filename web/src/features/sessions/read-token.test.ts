import { describe, expect, test } from 'vitest';
import { TokenUser } from '@filestead/contract/sessions';
import { readToken } from './read-token.ts';
import { ada, tokenOf } from './test-token.ts';

/** Returns a token whose `user` claim has other values than those of a user; `undefined` leaves a field out. */
const tokenWith = (change: Record<string, unknown>): string => tokenOf({ ...ada, ...change } as TokenUser);

describe('readToken', () => {
  test('returns the user, including letters beyond ASCII, and the expiry', () => {
    expect(readToken(tokenOf(ada, 1_800_000_000_000))).toEqual({ user: ada, expiresAtMs: 1_800_000_000_000 });
  });

  test('reads the same users as the schema of the contract', () => {
    const fields = [...Object.keys(ada), 'unknown'];
    const values = [undefined, null, 0, 1.5, -1, '', 'list', 'name', true, [], ['ls'], [1], {}];
    const objects = [{ by: 'size', asc: true }, { by: 'color', asc: true }, { by: 'name' }, { admin: true }];
    for (const field of fields) {
      for (const value of [...values, ...objects]) {
        const change = { [field]: value };
        const expected = TokenUser.safeParse({ ...ada, ...change });
        const title = JSON.stringify(change);
        expect(readToken(tokenWith(change))?.user ?? null, title).toEqual(expected.data ?? null);
      }
    }
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
