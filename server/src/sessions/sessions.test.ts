import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type UserContexts, openUserContexts } from '../access/user-contexts.ts';
import { openGlobalSettings } from '../access/global-settings.ts';
import type { Database, StoredUser } from '../database/database.ts';
import { systemClock } from '../clock.ts';
import { openDatabase } from '../database/open-database.ts';
import { createFirstAdministrator } from '../start/first-administrator.ts';
import { openMemoryStorage } from '../storage/memory/memory-storage.ts';
import { type Sessions, openSessions } from './sessions.ts';
import { hashOf } from './token.ts';

const minute = 60_000;
const times = {
  tokenLifeMs: 120 * minute,
  idleMs: 600 * minute,
  absoluteMs: 1_000 * minute,
  overlapMs: minute,
};

let database: Database;
let userContexts: UserContexts;
let sessions: Sessions;
let user: StoredUser;
let now: number;

/** Opens the sessions as after a restart, with nothing cached. */
const reopen = (repository = database.sessions): Sessions =>
  openSessions({
    repository,
    userContexts,
    key: () => new Uint8Array(64),
    times,
    maxPerUser: 3,
    clock: { ...systemClock, now: () => now },
  });

beforeEach(async () => {
  database = await openDatabase(':memory:');
  await createFirstAdministrator(database, {
    username: 'admin',
    password: '$argon2id$not-used',
    minimumPasswordLength: 8,
  });
  const [first] = await database.users.list();
  if (first === undefined) throw new Error('there is no user');
  user = first;
  now = user.changedAt + 1;
  userContexts = openUserContexts({
    users: database.users,
    settings: await openGlobalSettings(database.settings),
    storage: await openMemoryStorage(),
  });
  sessions = reopen();
});
afterEach(() => database.close());

const isAlive = async (token: string): Promise<boolean> =>
  (await sessions.authenticate({ kind: 'token', value: token })) !== null;

test('a token is accepted, also after a restart, until it expires', async () => {
  const { token } = await sessions.signIn(user);
  sessions = reopen();
  expect(await isAlive(token)).toBe(true);
  now += times.tokenLifeMs - 1;
  expect(await isAlive(token)).toBe(true);
  now += 1;
  expect(await isAlive(token)).toBe(false);
});

test('token and cookie are different secrets and not interchangeable', async () => {
  const { token, cookie } = await sessions.signIn(user);
  expect(await sessions.authenticate({ kind: 'cookie', value: cookie })).not.toBeNull();
  expect(await sessions.authenticate({ kind: 'token', value: cookie })).toBeNull();
  expect(await sessions.authenticate({ kind: 'cookie', value: token })).toBeNull();
});

test('a token with a changed or foreign claim is refused', async () => {
  const { token } = await sessions.signIn(user);
  const [header, payload = '', signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { user: { id: number } };
  expect(claims.user.id).toBe(user.id);
  const forged = Buffer.from(JSON.stringify({ ...claims, exp: 9_999_999_999 })).toString('base64url');
  expect(await isAlive(`${header}.${forged}.${signature}`)).toBe(false);
  expect(await isAlive(`${header}.${payload}.`)).toBe(false);
});

test('a renewed token remains valid during the overlap and has one successor, however often it is renewed', async () => {
  const { token } = await sessions.signIn(user);
  const renewed = await Promise.all(Array.from({ length: 20 }, () => sessions.renew(token, user)));
  const [successor] = renewed;
  expect(new Set(renewed.map((issued) => issued?.token)).size).toBe(1);
  now += times.overlapMs;
  expect(await isAlive(token)).toBe(true);
  expect(await isAlive(successor?.token ?? '')).toBe(true);
});

test('a token that is used long after it was replaced ends the whole session', async () => {
  const { token } = await sessions.signIn(user);
  const successor = await sessions.renew(token, user);
  now += times.overlapMs + 1;
  expect(await isAlive(successor?.token ?? '')).toBe(true);
  expect(await isAlive(token)).toBe(false);
  expect(await isAlive(successor?.token ?? '')).toBe(false);
});

/** Opens sessions with a database that responds late, with the state at the time of the query. */
function lateSessions(): { late: Sessions; whileReading: (work: () => Promise<void>) => void } {
  let work: (() => Promise<void>) | undefined;
  const { sessions: repository } = database;
  const late = openSessions({
    repository: {
      ...repository,
      async find(hash) {
        const found = await repository.find(hash);
        const pendingWork = work;
        work = undefined;
        await pendingWork?.();
        return found;
      },
    },
    userContexts,
    key: () => new Uint8Array(64),
    times,
    maxPerUser: 3,
    clock: { ...systemClock, now: () => now },
  });
  return { late, whileReading: (newWork) => void (work = newWork) };
}

test.each([
  ['signs out', (all: Sessions, id: string) => all.end(id)],
  ['signs out everywhere', (all: Sessions) => all.endAllOf(user.id)],
  [
    'is signed out by another process',
    async (all: Sessions) => {
      await database.sessions.removeAll();
      all.clearCache();
    },
  ],
])('a session that is being loaded ends when its user %s', async (_how, endSession) => {
  const { token } = await sessions.signIn(user);
  const [session] = await sessions.listOf(user.id);
  const { late, whileReading } = lateSessions();
  whileReading(() => endSession(late, session?.id ?? ''));
  expect(await late.authenticate({ kind: 'token', value: token })).toBeNull();
  expect(await late.authenticate({ kind: 'token', value: token })).toBeNull();
});

test('no session begins with a password that was changed meanwhile, nor for a deleted user', async () => {
  const other = await database.users.create({ ...user, username: 'other' });
  await database.users.update(other.id, { passwordHash: '$argon2id$another' });
  await expect(sessions.signIn(other)).rejects.toMatchObject({ code: 'wrong_credentials' });
  expect(await sessions.listOf(other.id)).toEqual([]);
  const changed = await database.users.find(other.id);
  if (changed === null) throw new Error('the user is gone');
  expect(await isAlive((await sessions.signIn(changed)).token)).toBe(true);
  await database.users.remove(other.id);
  await expect(sessions.signIn(changed)).rejects.toMatchObject({ code: 'wrong_credentials' });
});

test('a failed renewal can be retried at once', async () => {
  const rotate = vi.fn(database.sessions.rotate).mockRejectedValueOnce(new Error('the disk is full'));
  sessions = reopen({ ...database.sessions, rotate });
  const { token } = await sessions.signIn(user);
  await expect(sessions.renew(token, user)).rejects.toThrow('the disk is full');
  const successor = await sessions.renew(token, user);
  expect(await isAlive(successor?.token ?? '')).toBe(true);
});

test('only the last fifty replaced tokens of a session are kept', async () => {
  const tokens = [(await sessions.signIn(user)).token];
  for (let renewal = 0; renewal < 60; renewal++) {
    now += 1;
    tokens.push((await sessions.renew(tokens.at(-1) ?? '', user))?.token ?? 'ended');
  }
  const isStored = await Promise.all(
    tokens.map(async (token) => (await database.sessions.find(hashOf(token))) !== null),
  );
  expect(isStored).toEqual(tokens.map((_token, position) => position >= 10));
  expect(await isAlive(tokens.at(-1) ?? '')).toBe(true);
});

test('a session cannot be renewed beyond its absolute end', async () => {
  let { token } = await sessions.signIn(user);
  const end = now + times.absoluteMs;
  while (now + 50 * minute < end) {
    now += 50 * minute;
    token = (await sessions.renew(token, user))?.token ?? 'ended';
    expect(await isAlive(token)).toBe(true);
  }
  now = end;
  expect(await isAlive(token)).toBe(false);
});

/** Opens sessions whose tokens live as long as the sessions. */
const openWithLongTokens = (): Sessions =>
  openSessions({
    repository: database.sessions,
    userContexts,
    key: () => new Uint8Array(64),
    times: { ...times, tokenLifeMs: times.absoluteMs },
    maxPerUser: 3,
    clock: { ...systemClock, now: () => now },
  });

test('an unused session expires', async () => {
  const long = openWithLongTokens();
  const { token } = await long.signIn(user);
  now += times.idleMs;
  expect(await long.authenticate({ kind: 'token', value: token })).not.toBeNull();
  now += times.idleMs + 1;
  expect(await long.authenticate({ kind: 'token', value: token })).toBeNull();
});

test('an automatic request does not count as use of a session', async () => {
  const long = openWithLongTokens();
  const { token } = await long.signIn(user);
  const credential = { kind: 'token', value: token } as const;
  now += times.idleMs / 2;
  expect(await long.authenticate(credential, true)).not.toBeNull();
  const renewed = await long.renew(token, user);
  now += times.idleMs / 2 + 1;
  expect(await long.authenticate({ kind: 'token', value: renewed?.token ?? '' }, true)).toBeNull();
});

test('the least recently used session of a user ends when there are too many', async () => {
  const tokens: string[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    now += minute;
    tokens.push((await sessions.signIn(user)).token);
  }
  expect(await Promise.all(tokens.map(isAlive))).toEqual([false, true, true, true]);
});

test('a token should be renewed after half of its lifetime, or after the user was changed', async () => {
  const { token } = await sessions.signIn(user);
  const shouldRenew = async (): Promise<boolean | undefined> =>
    (await sessions.authenticate({ kind: 'token', value: token }))?.shouldRenew;
  expect(await shouldRenew()).toBe(false);
  await database.users.update(user.id, { locale: 'de' });
  userContexts.forget(user.id);
  expect(await shouldRenew()).toBe(true);
  now = Date.now() + minute;
  const fresh = await sessions.signIn(user);
  expect((await sessions.authenticate({ kind: 'token', value: fresh.token }))?.shouldRenew).toBe(false);
  now += times.tokenLifeMs / 2 + 1;
  expect((await sessions.authenticate({ kind: 'token', value: fresh.token }))?.shouldRenew).toBe(true);
});

test('expired sessions are removed from the database', async () => {
  await sessions.signIn(user);
  now += times.absoluteMs;
  expect(await sessions.purge()).toBe(1);
  expect(await sessions.purge()).toBe(0);
});
