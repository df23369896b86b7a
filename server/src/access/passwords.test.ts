import { expect, test } from 'vitest';
import { hashPassword, requireGoodPassword, verifyPassword } from './passwords.ts';

test.each(['', 'short', 'password', 'PassWord', 'aaaaaaaaaa', 'someone99'])(
  '“%s” is too weak',
  (password) => {
    expect(() => requireGoodPassword(password, 'Someone99', 8)).toThrow(
      expect.objectContaining({ code: 'weak_password' }),
    );
  },
);

test.each(['correct horse', ' spaces around ', 'x'.repeat(199) + 'y', 'ünïcödé!'])(
  '“%s” is good enough',
  (password) => {
    expect(() => requireGoodPassword(password, 'someone', 8)).not.toThrow();
  },
);

test('only the same password matches its hash, to the last of many characters', async () => {
  const long = 'x'.repeat(200);
  const hash = await hashPassword(`${long}1`);
  expect(hash).toMatch(/^\$argon2id\$/);
  expect(await verifyPassword(hash, `${long}1`)).toBe(true);
  expect(await verifyPassword(hash, `${long}2`)).toBe(false);
  expect(await verifyPassword(hash, `${long}1 `)).toBe(false);
});

test('without a hash, or with one that cannot be read, nothing matches', async () => {
  expect(await verifyPassword(null, 'no user has this one')).toBe(false);
  expect(await verifyPassword('not a hash', 'x')).toBe(false);
});
