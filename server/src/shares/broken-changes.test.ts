import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newUser } from '../../test/new-user.ts';
import { type UserContexts, openUserContexts } from '../access/user-contexts.ts';
import type { FileChange, FileChangeListener } from '../access/file-events.ts';
import { openGlobalSettings } from '../access/global-settings.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import { openMemoryStorage } from '../storage/memory/memory-storage.ts';
import { openShareSync, type ShareSync } from './sync-shares-with-files.ts';

let database: Database;
let userContexts: UserContexts;
let sync: ShareSync;
let listener: FileChangeListener;
let number = 0;
beforeEach(async () => {
  database = await openDatabase(':memory:');
  const storage = await openMemoryStorage({
    '/users/alice/old/left.txt': 'not moved yet',
    '/users/alice/new/moved.txt': 'moved already',
    '/users/alice/old/secret/s.txt': 's',
  });
  const settings = await openGlobalSettings(database.settings);
  userContexts = openUserContexts({ users: database.users, settings, storage });
  sync = openShareSync(database.shares, userContexts, { error: vi.fn() });
  listener = sync.listener;
});
afterEach(() => database.close());

const addUser = async (username: string, scope: string, denied: string[] = []): Promise<number> => {
  const { id } = await database.users.create(newUser(username, scope, denied));
  return id;
};
const addShares = async (userId: number, ...paths: string[]): Promise<void> => {
  for (const path of paths) {
    const hash = `share-number-${(number += 1)}`;
    await database.shares.create(
      {
        hash,
        userId,
        path: virtualPath(path),
        isFolder: false,
        expiresAt: 0,
        passwordHash: null,
        createdAt: 0,
        visits: 0,
      },
      { maxPerUser: 100 },
    );
  }
};
const pathsOf = async (userId: number): Promise<string[]> => {
  const paths: string[] = [];
  for await (const page of database.shares.list(0, userId)) paths.push(...page.map(({ path }) => path));
  return paths.sort();
};
const interrupt = async (
  userId: number,
  event: FileChange['event'],
  path: string,
  to?: string,
): Promise<void> => {
  const opened = await userContexts.contextOf(userId, 'session');
  if (opened === null) throw new Error('nobody');
  const destination = to === undefined ? null : virtualPath(to);
  await listener.aborted?.({ event, userContext: opened.userContext, path: virtualPath(path), destination });
  opened.release();
};

test('an interrupted deletion ends the shares of removed entries', async () => {
  const admin = await addUser('admin', '/');
  const alice = await addUser('alice', '/users/alice', ['/old/secret']);
  const inside = await addUser('inside', '/users/alice/old/within');
  await addShares(admin, '/users/alice/old', '/users/alice/old/gone.txt', '/users/alice/older.txt');
  await addShares(alice, '/old/left.txt', '/old/gone/a.txt', '/old/left.txt/below', '/old/secret/s.txt');
  await addShares(inside, '/x.txt');
  await interrupt(alice, 'delete', '/old');
  expect(await pathsOf(admin)).toEqual(['/users/alice/old', '/users/alice/older.txt']);
  expect(await pathsOf(alice)).toEqual(['/old/left.txt', '/old/secret/s.txt']);
  expect(await pathsOf(inside)).toEqual([]);
});

test('an interrupted move updates the shares of moved entries', async () => {
  const admin = await addUser('admin', '/');
  const alice = await addUser('alice', '/users/alice');
  const old = await addUser('old', '/users/alice/old');
  await addShares(admin, '/users/alice/old/moved.txt', '/users/alice/new/moved.txt');
  await addShares(alice, '/old', '/old/left.txt', '/old/moved.txt', '/old/moved.txt', '/old/gone.txt');
  await addShares(old, '/moved.txt');
  await interrupt(admin, 'rename', '/users/alice/old', '/users/alice/new');
  expect(await pathsOf(admin)).toEqual(['/users/alice/new/moved.txt', '/users/alice/new/moved.txt']);
  expect(await pathsOf(alice)).toEqual(['/new/moved.txt', '/new/moved.txt', '/old', '/old/left.txt']);
  expect(await pathsOf(old)).toEqual(['/moved.txt']);
});

test('interrupted copies and uploads do not affect shares', async () => {
  const alice = await addUser('alice', '/users/alice');
  await addShares(alice, '/old/gone.txt');
  await interrupt(alice, 'copy', '/old/gone.txt', '/new/gone.txt');
  await interrupt(alice, 'upload', '/old/gone.txt');
  expect(await pathsOf(alice)).toEqual(['/old/gone.txt']);
});

test('the deletions of a job are applied together, before a new entry can take the place of a deleted one', async () => {
  const alice = await addUser('alice', '/users/alice');
  const opened = await userContexts.contextOf(alice, 'session');
  if (opened === null) throw new Error('nobody');
  const { userContext } = opened;
  await addShares(alice, '/many/7.txt', '/many/999.txt', '/many/kept.txt');
  const owners = vi.spyOn(database.shares, 'owners');
  const changeOf = (path: string, event: FileChange['event'] = 'delete'): FileChange => ({
    event,
    userContext,
    path: virtualPath(path),
    destination: null,
    isOneOfMany: true,
  });
  for (let index = 0; index < 1_200; index++) await listener.after?.(changeOf(`/many/${index}.txt`));
  await sync.flush();
  // One query per 500 deletions; each 50 ms of a slow machine add one.
  expect(owners.mock.calls.length).toBeLessThan(60);
  expect(await pathsOf(alice)).toEqual(['/many/kept.txt']);
  await addShares(alice, '/many/1.txt');
  await listener.after?.(changeOf('/many/1.txt'));
  await listener.before?.(changeOf('/many/1.txt', 'upload'));
  expect(await pathsOf(alice)).toEqual(['/many/kept.txt']);
  opened.release();
});

test('deletions that could not be applied to the shares wait for the next time', async () => {
  const alice = await addUser('alice', '/users/alice');
  const opened = await userContexts.contextOf(alice, 'session');
  if (opened === null) throw new Error('nobody');
  await addShares(alice, '/a.txt');
  vi.spyOn(database.shares, 'endUnder').mockRejectedValueOnce(new Error('the disk is full'));
  const { userContext } = opened;
  const change = { event: 'delete', userContext, path: virtualPath('/a.txt'), destination: null } as const;
  await expect(listener.after?.(change)).rejects.toThrow('the disk is full');
  expect(await pathsOf(alice)).toEqual(['/a.txt']);
  await sync.flush();
  expect(await pathsOf(alice)).toEqual([]);
  opened.release();
});
