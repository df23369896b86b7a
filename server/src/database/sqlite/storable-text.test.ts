import { afterAll, describe, expect, test } from 'vitest';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { openDatabase } from '../open-database.ts';

describe('a database', async () => {
  const database = await openDatabase(':memory:');
  afterAll(() => database.close());

  const upload = {
    id: 'x',
    userId: 1,
    scope: virtualPath('/'),
    path: virtualPath('/x'),
    partName: 'x',
    lengthBytes: 1,
    storedBytes: 0,
    overrides: false,
    isByPath: false,
    isFinished: false,
    lastByteAt: 0,
    modifiedMs: null,
    clientKey: null,
    folder: null,
    createdParents: 0,
    expiresAt: 1,
    beganAt: 1,
    blockedBy: null,
    blockedDetail: null,
  };

  const uses: Record<string, (text: string) => Promise<unknown>> = {
    'the name of a user that is looked up': (text) => database.users.findByName(text),
    'a new hash of a password': (text) => database.users.rehash(1, 'old', text),
    'the hash of a token': (text) => database.sessions.find(text),
    'the id of a session': (text) => database.sessions.remove(text),
    'the hash of a share': (text) => database.shares.find(text, 1),
    'the path of a share': (text) =>
      database.shares.endUnder([{ userId: 1, path: text as never, keptId: null }]),
    'the name of an unfinished upload': (text) => database.uploads.create({ ...upload, partName: text }),
    'the name of a secret': (text) => database.settings.secret(text, 16),
    'a start-up option': (text) => database.serverOptions.write({ root: text }),
  };
  for (const [use, run] of Object.entries(uses)) {
    test(`refuses a NUL in ${use}`, async () => {
      await expect(run('alice\0x')).rejects.toMatchObject({ code: 'bad_request' });
    });
    test(`refuses a lone surrogate in ${use}`, async () => {
      await expect(run('alice\uD800')).rejects.toMatchObject({ code: 'bad_request' });
    });
  }
});
