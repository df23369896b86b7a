import { genSalt, hash as bcryptHash } from 'bcryptjs';
import { expect, test } from 'vitest';
import { hashPassword, isImportedHash, assertValidPassword, verifyPassword } from './passwords.ts';

test.each(['', 'short', 'password', 'PassWord', 'aaaaaaaaaa', 'someone99'])(
  'the password “%s” is too weak',
  (password) => {
    expect(() => assertValidPassword(password, 'Someone99', 8)).toThrow(
      expect.objectContaining({ code: 'weak_password' }),
    );
  },
);

test.each(['correct horse', ' spaces around ', 'x'.repeat(199) + 'y', 'ünïcödé!'])(
  'the password “%s” is accepted',
  (password) => {
    expect(() => assertValidPassword(password, 'someone', 8)).not.toThrow();
  },
);

test('a hash matches only the same password, to the last of many characters', async () => {
  const long = 'x'.repeat(200);
  const hash = await hashPassword(`${long}1`);
  expect(hash).toMatch(/^\$argon2id\$/);
  expect(await verifyPassword(hash, `${long}1`)).toBe(true);
  expect(await verifyPassword(hash, `${long}2`)).toBe(false);
  expect(await verifyPassword(hash, `${long}1 `)).toBe(false);
});

test('a missing or unreadable hash matches no password', async () => {
  expect(await verifyPassword(null, 'no user has this one')).toBe(false);
  expect(await verifyPassword('not a hash', 'x')).toBe(false);
});

test.each(['2a', '2b', '2y'] as const)(
  'an imported bcrypt hash of the form $%s is verified',
  async (version) => {
    const salt = (await genSalt(4)).replace('$2b$', `$${version}$`);
    const imported = await bcryptHash('pässword of old', salt);
    expect(isImportedHash(imported)).toBe(true);
    expect(await verifyPassword(imported, 'pässword of old')).toBe(true);
    expect(await verifyPassword(imported, 'another password')).toBe(false);
    expect(await verifyPassword(imported, 'another password', imported)).toBe(false);
  },
);

// From the tests of jBCrypt, an independent implementation.
test.each([
  ['a', '$2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe'],
  ['abc', '$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i'],
])('the bcrypt hash of “%s” by another program is verified', async (password, hash) => {
  expect(await verifyPassword(hash, password)).toBe(true);
  expect(await verifyPassword(hash, `${password}b`)).toBe(false);
});

test('the event loop continues while an imported hash is compared', async () => {
  const imported = await bcryptHash('the one of old', 11);
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 1);
  try {
    expect(await verifyPassword(imported, 'the one of old')).toBe(true);
  } finally {
    clearInterval(counting);
  }
  expect(turns).toBeGreaterThan(10);
});

test("another user's imported hash does not sign anybody in", async () => {
  const imported = await bcryptHash('of another user', 4);
  expect(await verifyPassword(null, 'of another user', imported)).toBe(false);
  expect(await verifyPassword(await hashPassword('of this user'), 'of another user', imported)).toBe(false);
  expect(await verifyPassword(await hashPassword('of this user'), 'of this user', imported)).toBe(true);
});

test.each(['$2a$31$abcdefghijklmnopqrstuuAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', '$2a$10$short', '$2z$10$x'])(
  'the hash %s is rejected immediately',
  async (hash) => {
    // A hash of 2^31 rounds that was computed would outlast the test.
    expect(await verifyPassword(hash, 'x')).toBe(false);
  },
);
