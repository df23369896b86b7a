import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import type { Settings } from '@filestead/contract/settings';
import type { User } from '@filestead/contract/users';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../database/open-database.ts';
import { type TestApp, startApp, testPassword } from '../../test/start-app.ts';

/** A request that is sending its body ends with the permission to send it, and a download with the permission to read. */

let app: TestApp;
let alice: User;
let admin: string;
let token: string;

/** The folder of the user, and another one, on the disk. */
let home: string;
let other: string;
let users = 0;

beforeAll(async () => {
  app = await startApp();
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

// Each test has its own user: most of them end the user or the permissions.
beforeEach(async () => {
  users += 1;
  [home, other] = [join(app.root, `alice${users}`), join(app.root, `other${users}`)];
  for (const folder of [home, other]) mkdirSync(folder);
  writeFileSync(join(home, 'old.txt'), 'old');
  alice = await app.createUser({ username: `alice${users}`, scope: `/alice${users}` });
  token = await app.signIn(alice.username);
});

/** Sends a request's head and the first bytes of its body; resolves once the server reads them. */
async function startBody(
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<ClientRequest> {
  const sent = request(`${app.url}${path}`, {
    method,
    headers: { 'x-auth': token, 'content-length': '10', expect: '100-continue', ...headers },
  });
  // Writes after an early response may meet a closed connection.
  sent.on('error', () => undefined);
  sent.flushHeaders();
  await once(sent, 'continue');
  sent.write('first');
  return sent;
}

async function endBody(sent: ClientRequest): Promise<number> {
  const received = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.end('added');
  const [response] = await received;
  response.resume();
  return response.statusCode ?? 0;
}

async function change(path: string, json: unknown, method = 'PUT'): Promise<void> {
  const response = await app.fetch(path, { method, token: admin, json });
  expect(response.status, await response.text()).toBe(200);
}

const changeUser = (which: string, value: unknown): Promise<void> =>
  change(`/api/users/${alice.id}`, {
    what: 'user',
    which: [which],
    data: { id: alice.id, [which]: value },
  });

const denyRule = { regex: false, allow: false, path: '/', regexp: null };

const losses: readonly { loss: string; lose: () => Promise<unknown>; status: number }[] = [
  {
    loss: 'the user is deleted',
    lose: () => app.fetch(`/api/users/${alice.id}`, { method: 'DELETE', token: admin }),
    status: 401,
  },
  {
    loss: 'the user signs out',
    lose: () => app.fetch('/api/logout', { method: 'POST', token }),
    status: 401,
  },
  {
    loss: 'an administrator ends the sessions of the user',
    lose: () => app.fetch(`/api/sessions?user=${alice.id}`, { method: 'DELETE', token: admin }),
    status: 401,
  },
  {
    loss: 'the permissions are withdrawn',
    lose: () => changeUser('perm', { ...alice.perm, create: false, modify: false }),
    status: 403,
  },
  { loss: 'a rule of the user denies the path', lose: () => changeUser('rules', [denyRule]), status: 403 },
  {
    loss: 'a rule for everybody denies the path',
    lose: async () => {
      const settings = (await (await app.fetch('/api/settings', { token: admin })).json()) as Settings;
      await change('/api/settings', { ...settings, rules: [denyRule] });
      onTestFinished(() => change('/api/settings', { ...settings, rules: [] }));
    },
    status: 403,
  },
  { loss: 'the scope changes', lose: () => changeUser('scope', `/other${users}`), status: 403 },
  {
    loss: 'another process deletes the user',
    lose: async () => {
      const database = await openDatabase(join(app.data, 'filestead.db'));
      await database.users.remove(alice.id);
      await database.close();
    },
    status: 401,
  },
];

const bodies: readonly { verb: string; start: () => Promise<ClientRequest>; published: number }[] = [
  { verb: 'POST of a new file', start: () => startBody('POST', '/api/resources/new.txt'), published: 200 },
  {
    verb: 'POST that overwrites',
    start: () => startBody('POST', '/api/resources/old.txt?override=true'),
    published: 200,
  },
  { verb: 'PUT', start: () => startBody('PUT', '/api/resources/old.txt'), published: 200 },
  {
    verb: 'tus PATCH with the last bytes',
    start: async () => {
      const tus = { 'tus-resumable': '1.0.0' };
      const created = await app.fetch('/api/tus/new.txt', {
        method: 'POST',
        token,
        headers: { ...tus, 'upload-length': '10' },
      });
      expect(created.status).toBe(201);
      const { pathname, search } = new URL(created.headers.get('location') ?? '', app.url);
      return startBody('PATCH', pathname + search, {
        ...tus,
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      });
    },
    published: 204,
  },
];

for (const { verb, start, published } of bodies) {
  describe(`a ${verb}`, () => {
    test('is published while the permission lasts', async () => {
      expect(await endBody(await start())).toBe(published);
    });
    for (const { loss, lose, status } of losses) {
      test(`publishes nothing when ${loss} while its body is being sent`, async () => {
        const sent = await start();
        await lose();
        expect(await endBody(sent)).toBe(status);
        expect(readFileSync(join(home, 'old.txt'), 'utf8')).toBe('old');
        expect(existsSync(join(home, 'new.txt'))).toBe(false);
        expect(readdirSync(other)).toEqual([]);
      });
    }
  });
}

describe('a download in progress', () => {
  /** Starts a download that is larger than any buffer, and stops reading. */
  async function startDownload(path: string, headers: Record<string, string>): Promise<IncomingMessage> {
    const sent = request(`${app.url}${path}`, { headers });
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    response.on('error', () => undefined);
    response.pause();
    return response;
  }

  /** Continues to read, if the connection was not closed before; resolves to whether the response was complete. */
  async function isWhole(response: IncomingMessage): Promise<boolean> {
    response.resume();
    if (!response.closed) await new Promise((resolve) => response.once('close', resolve));
    return response.complete;
  }

  function writeLarge(bytes: number): void {
    const file = join(home, 'large.bin');
    writeFileSync(file, '');
    truncateSync(file, bytes);
  }

  // A response in progress may continue for a quarter of a second, in which a fast machine sends a tenth of this.
  beforeEach(() => writeLarge(4 * 1024 ** 3));

  for (const path of ['/api/raw/large.bin', '/api/raw/?algo=tar']) {
    test(`${path} is aborted when the user is deleted`, async () => {
      const response = await startDownload(path, { 'x-auth': token });
      await app.fetch(`/api/users/${alice.id}`, { method: 'DELETE', token: admin });
      expect(await isWhole(response)).toBe(false);
    });
    test(`${path} is aborted when the permission to download is withdrawn`, async () => {
      const response = await startDownload(path, { 'x-auth': token });
      await changeUser('perm', { ...alice.perm, download: false });
      expect(await isWhole(response)).toBe(false);
    });
  }

  test('a download through a share is aborted when the share ends', async () => {
    const shared = await app.fetch('/api/share/large.bin', { method: 'POST', token, json: {} });
    const { hash } = (await shared.json()) as { hash: string };
    const response = await startDownload(`/api/public/dl/${hash}`, {});
    expect((await app.fetch(`/api/share/${hash}`, { method: 'DELETE', token })).status).toBe(200);
    expect(await isWhole(response)).toBe(false);
  });

  test('a download through a share is aborted when its owner loses the permission to share', async () => {
    const shared = await app.fetch('/api/share/large.bin', { method: 'POST', token, json: {} });
    const { hash } = (await shared.json()) as { hash: string };
    const response = await startDownload(`/api/public/dl/${hash}`, {});
    await changeUser('perm', { ...alice.perm, share: false });
    expect(await isWhole(response)).toBe(false);
  });

  test('the events of jobs end when the user signs out', async () => {
    const response = await startDownload('/api/jobs/events', { 'x-auth': token });
    await app.fetch('/api/logout', { method: 'POST', token });
    expect(await isWhole(response)).toBe(true);
  });

  test('a download continues when another user signs out', async () => {
    writeLarge(128 * 1024 ** 2);
    const response = await startDownload('/api/raw/large.bin', { 'x-auth': token });
    await app.fetch('/api/logout', { method: 'POST', token: await app.signIn(alice.username, testPassword) });
    expect(await isWhole(response)).toBe(true);
  });
});
