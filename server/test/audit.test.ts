import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AuditRecord as Entry,
  AuditRecord,
  auditChannels,
  auditEvents,
  auditedEndpoints,
} from '@filestead/contract/audit';
import { endpoints } from '@filestead/contract/endpoints';
import type { Settings } from '@filestead/contract/settings';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type TestApp, startApp, testPassword } from './start-app.ts';
import { linesOf, recordsOf, lastOf } from './fixtures/audit-lines.ts';

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

let app: TestApp;
let token: string;
let alice: string;
const secrets: string[] = [testPassword];
beforeAll(async () => {
  app = await startApp({
    files: { 'alice/a.txt': 'a', 'alice/docs/b.txt': 'b' },
    users: [
      { username: 'alice', scope: '/alice' },
      { username: 'bob', rules: [] },
    ],
    settings: { signup: true, commands: { after_save: ['true --token hook-secret-1'] } },
    config: { enableExec: 'on', loginAttemptsPerName: '1000' },
  });
  token = await app.signIn('admin');
  alice = await app.signIn('alice');
  secrets.push(token, alice);
});
afterAll(() => app.close());
// The records of every test have the documented shape, and no line of the log contains a secret.
afterEach(() => {
  for (const record of recordsOf(app)) expect(AuditRecord.parse(record)).toEqual(record);
  const text = app.log.join('\n');
  for (const secret of secrets) expect(text, secret).not.toContain(secret);
  expect(text).not.toMatch(/\$argon2/);
});

const send = async (
  method: string,
  path: string,
  {
    as = token,
    json,
    body,
    headers = {},
  }: { as?: string; json?: unknown; body?: string; headers?: Record<string, string> } = {},
): Promise<Response> => {
  const response = await app.fetch(path, {
    method,
    ...(as === '' ? {} : { token: as }),
    ...(json === undefined ? {} : { json }),
    ...(body === undefined ? {} : { body }),
    headers: { 'user-agent': agent, ...headers },
  });
  const text = await response.text();
  // The line is written after the response was sent.
  await expect.poll(() => linesOf(app).length).toBeGreaterThan(0);
  return new Response(response.status === 204 ? null : text, {
    status: response.status,
    headers: response.headers,
  });
};
/** Returns the record of the request to which a response belongs. */
const recordFor = async (response: Response): Promise<Entry> => {
  const id = response.headers.get('x-request-id');
  const find = (): Entry | undefined =>
    recordsOf(app).find(
      ({ request, event }) => request === id && event !== 'user.provision' && event !== 'job.end',
    );
  await expect.poll(find).toBeDefined();
  return find() as Entry;
};
const envelope = (which: string[], data: object): object => ({ what: 'user', which, data });
const asAdmin = { id: 1, name: 'admin' };
const asAlice = { id: 2, name: 'alice' };

/**
 * Endpoints without an event although their method is not GET: they read, compare, select the folders of a stream, or change marks, which
 * are private to their user and must not be logged.
 */
const unaudited = new Set([
  'getHealth',
  'checkProxy',
  'listMedia',
  'listPublicMedia',
  'compareUpload',
  'setLiveFolders',
  'getLiveVersions',
  'changeMarks',
  'orderFavorites',
  'recordOpened',
  'switchRecents',
  'clearRecents',
]);

test('every endpoint with changes has an event, and no other endpoint has one', () => {
  const changing = endpoints.filter(
    ({ id, method, anyMethod }) => !unaudited.has(id) && (!['GET', 'OPTIONS'].includes(method) || anyMethod),
  );
  expect(Object.keys(auditedEndpoints).sort()).toEqual(changing.map(({ id }) => id).sort());
});

test('the reference documents every event, channel and field', async () => {
  const text = await readFile(join(import.meta.dirname, '../../docs/reference/audit-log.md'), 'utf8');
  for (const [name, meaning] of Object.entries({ ...auditEvents, ...auditChannels })) {
    expect(text).toMatch(new RegExp(`^\\| \`${name}\` +\\| ${meaning.replaceAll(/[()[\]`]/g, '\\$&')}`, 'm'));
  }
  const { target } = AuditRecord.shape;
  const fields = [...Object.keys(AuditRecord.shape), ...Object.keys(target._zod.def.innerType.shape)];
  for (const field of fields) expect(text).toContain(`\`${field}\``);
});

describe('an audit record', () => {
  test('of a sign-in names the account, the address, the program and the channel', async () => {
    const json = { username: 'alice', password: testPassword };
    const response = await send('POST', '/api/login', { as: '', json });
    expect(await recordFor(response)).toEqual({
      event: 'session.sign_in',
      outcome: 'success',
      reason: null,
      actor: asAlice,
      channel: 'password',
      address: '127.0.0.1',
      agent: 'Firefox 128, Linux',
      request: response.headers.get('x-request-id'),
      target: null,
      changed: null,
    });
    secrets.push(await response.clone().text());
  });

  test('of a failed sign-in names the tried account, known or not', async () => {
    for (const username of ['alice', 'nobody']) {
      secrets.push(`wrong-secret-${username}`);
      const json = { username, password: `wrong-secret-${username}` };
      const response = await send('POST', '/api/login', { as: '', json });
      expect(response.status).toBe(403);
      expect(await recordFor(response)).toMatchObject({
        event: 'session.sign_in',
        outcome: 'refused',
        reason: 'wrong_credentials',
        actor: { id: null, name: username },
        channel: 'password',
      });
    }
  });

  test('of a sign-in is in the log line that log watchers match', async () => {
    const response = await send('POST', '/api/login', {
      as: '',
      json: { username: 'mallory', password: 'x' },
    });
    await recordFor(response);
    const line = app.log.find((each) => each.includes('mallory')) ?? '';
    expect(line.trim()).toMatch(/"msg":"\/api\/login: 403 127\.0\.0\.1"\}$/);
  });

  test('escapes control characters and cannot imitate the line of a request', async () => {
    const username = 'a\u202eb\u2028/api/login: 403 203.0.113.9';
    const response = await send('POST', '/api/login', { as: '', json: { username, password: 'x' } });
    expect((await recordFor(response)).actor.name).toBe(
      'a\\u{202e}b\\u{2028}/api/login:\\u{0020}403 203.0.113.9',
    );
    for (const line of app.log) expect(line).not.toMatch(/\/api\/login: 403 203\.0\.113\.9"/);
    const long = await send('POST', '/api/login', {
      as: '',
      json: { username: 'x'.repeat(1_000), password: 'x' },
    });
    expect((await recordFor(long)).actor.name?.length ?? 0).toBeLessThanOrEqual(257);
  });

  test('of a renewal, a sign-out and ended sessions names their user', async () => {
    const own = await app.signIn('bob');
    secrets.push(own);
    const renewed = await send('POST', '/api/renew', { as: own });
    expect(await recordFor(renewed)).toMatchObject({ event: 'session.renew', actor: { id: 3, name: 'bob' } });
    const next = await renewed.text();
    secrets.push(next);
    const sessions = (await (await send('GET', '/api/sessions', { as: next })).json()) as { id: string }[];
    const ended = await send('DELETE', `/api/sessions/${sessions[0]?.id ?? ''}`, { as: next });
    expect(await recordFor(ended)).toMatchObject({ event: 'session.end', outcome: 'success' });
    const other = await app.signIn('bob');
    secrets.push(other);
    expect(await recordFor(await send('POST', '/api/logout', { as: other }))).toMatchObject({
      event: 'session.sign_out',
      actor: { id: 3, name: 'bob' },
      channel: 'token',
    });
    expect(await recordFor(await send('DELETE', '/api/sessions?user=3'))).toMatchObject({
      event: 'session.end_all',
      actor: asAdmin,
      target: { user: { id: 3, name: null } },
    });
  });

  test('of a created, changed or deleted user names the actor and the fields', async () => {
    const password = 'user-secret-1';
    secrets.push(password, 'user-secret-2');
    const created = await send('POST', '/api/users', {
      json: envelope([], { username: 'dora', password, scope: '/', perm: { share: true, download: true } }),
    });
    const record = await recordFor(created);
    const id = record.target?.user?.id ?? 0;
    expect(record).toMatchObject({
      event: 'user.create',
      actor: asAdmin,
      target: { user: { name: 'dora' } },
      changed: expect.arrayContaining(['username=dora', 'scope=/', 'perm.share=true']) as unknown,
    });
    const change = { perm: { admin: true }, password: 'user-secret-2', rules: [{ path: '/x' }], id };
    const changed = await send('PUT', `/api/users/${id}`, {
      json: envelope(['perm', 'password', 'rules'], change),
    });
    expect(changed.status).toBe(200);
    expect(await recordFor(changed)).toMatchObject({
      event: 'user.update',
      target: { user: { id, name: 'dora' } },
      changed: expect.arrayContaining(['perm.admin=true', 'rules', 'password']) as unknown,
    });
    expect(await recordFor(await send('DELETE', `/api/users/${id}`))).toMatchObject({
      event: 'user.delete',
      target: { user: { id, name: 'dora' } },
    });
  });

  test('of a refused change names the actor, the target and the reason', async () => {
    const response = await send('PUT', '/api/users/1', {
      as: alice,
      json: envelope(['perm'], { id: 1, perm: { admin: true } }),
    });
    expect(response.status).toBe(403);
    expect(await recordFor(response)).toMatchObject({
      event: 'user.update',
      outcome: 'refused',
      reason: 'forbidden',
      actor: asAlice,
      target: { user: { id: 1 } },
      changed: null,
    });
  });

  test('of a sign-up names the new account', async () => {
    secrets.push('sign-up-secret');
    const json = { username: 'visitor', password: 'sign-up-secret' };
    expect(await recordFor(await send('POST', '/api/signup', { as: '', json }))).toMatchObject({
      event: 'user.sign_up',
      actor: { id: null, name: 'visitor' },
      channel: 'none',
      target: { user: { name: 'visitor' } },
      changed: expect.arrayContaining(['awaitsScope=true']) as unknown,
    });
  });

  test('of the settings names the changed fields, including rules and hooks', async () => {
    const settings = (await (await send('GET', '/api/settings')).json()) as Settings;
    onTestFinished(async () =>
      expect((await send('PUT', '/api/settings', { json: settings })).status).toBe(200),
    );
    const json = {
      ...settings,
      createUserDir: true,
      rules: [{ path: '/hidden' }],
      commands: { ...settings.commands, after_upload: ['true --password hook-secret-2'] },
    };
    secrets.push('hook-secret-1', 'hook-secret-2');
    expect((await recordFor(await send('PUT', '/api/settings', { json }))).changed?.sort()).toEqual([
      'commands.after_upload',
      'createUserDir=true',
      'rules',
    ]);
  });

  test('of a file names its path, its destination and the kind of change', async () => {
    const run = async (method: string, path: string, body?: string): Promise<Entry> =>
      recordFor(await send(method, path, { as: alice, ...(body === undefined ? {} : { body }) }));
    expect(await run('POST', '/api/resources/new.txt', 'n')).toMatchObject({
      event: 'file.create',
      actor: asAlice,
      target: { path: '/new.txt' },
    });
    expect(await run('PUT', '/api/resources/new.txt', 'm')).toMatchObject({ event: 'file.save' });
    expect(await run('PATCH', '/api/resources/new.txt?action=rename&destination=%2Fmoved.txt')).toMatchObject(
      {
        event: 'file.move',
        target: { path: '/new.txt', destination: '/moved.txt', kind: 'rename' },
      },
    );
    expect(await run('DELETE', '/api/resources/moved.txt')).toMatchObject({ event: 'file.delete' });
  });

  test('of a hook names the event, its command and the user who caused it', async () => {
    await send('PUT', '/api/resources/a.txt', { as: alice, body: 'x' });
    await expect
      .poll(() => lastOf(app, 'hook.run'))
      .toMatchObject({
        actor: asAlice,
        channel: 'event',
        target: { trigger: 'after_save', path: '/a.txt', command: ['true', '--token', '…'], exit: 0 },
      });
  });

  test('of uploads, archives and jobs names their paths', async () => {
    const tus = { 'tus-resumable': '1.0.0' };
    const begun = await send('POST', '/api/tus/up.txt', {
      as: alice,
      headers: { ...tus, 'upload-length': '2' },
    });
    expect(await recordFor(begun)).toMatchObject({ event: 'upload.create', target: { path: '/up.txt' } });
    const location = begun.headers.get('location') ?? '';
    const part = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    const appended = await send('PATCH', location, { as: alice, body: 'x', headers: part });
    expect(await recordFor(appended)).toMatchObject({ event: 'upload.append', outcome: 'success' });
    const ended = await send('DELETE', location, { as: alice, headers: tus });
    expect(await recordFor(ended)).toMatchObject({ event: 'upload.end', target: { path: '/up.txt' } });

    const asked = await send('POST', '/api/archives', { as: alice, json: { paths: ['/a.txt', '/docs'] } });
    expect(await recordFor(asked)).toMatchObject({
      event: 'archive.create',
      target: { count: 2, paths: ['/a.txt', '/docs'] },
    });
    const { ticket } = (await asked.json()) as { ticket: string };
    secrets.push(ticket);
    await send('GET', `/api/archives/${ticket}`, { as: alice });

    const job = await send('POST', '/api/jobs', {
      as: alice,
      json: { kind: 'copy', items: [{ from: '/a.txt', to: '/copied.txt' }] },
    });
    const record = await recordFor(job);
    expect(record).toMatchObject({
      event: 'job.create',
      target: { kind: 'copy', count: 1, paths: ['/a.txt'], job: expect.any(String) as unknown },
    });
    const cancelled = await send('DELETE', `/api/jobs/${record.target?.job ?? ''}`, { as: alice });
    expect(await recordFor(cancelled)).toMatchObject({
      event: 'job.cancel',
      target: { job: record.target?.job },
    });
  });

  test.each([
    ['success', '/a.txt', 'success', null],
    ['a refused item', '/none.txt', 'refused', 'not_found'],
  ])(
    'of the end of a job names its user, its paths and its outcome: %s',
    async (_title, from, outcome, reason) => {
      const job = await send('POST', '/api/jobs', {
        as: alice,
        json: { kind: 'checksum', items: [{ from }] },
      });
      const { id } = (await job.json()) as { id: string };
      const ends = (): Entry[] =>
        recordsOf(app).filter(({ event, target }) => event === 'job.end' && target?.job === id);
      await expect.poll(ends).toMatchObject([
        {
          outcome,
          reason,
          actor: asAlice,
          channel: 'token',
          address: '127.0.0.1',
          agent: 'Firefox 128, Linux',
          request: job.headers.get('x-request-id'),
          target: { kind: 'checksum', count: 1, paths: [from] },
        },
      ]);
    },
  );

  test('is written once for a cancelled job, also when the job had not started', async () => {
    const waiting = await startApp({ files: { 'a.txt': 'a' }, config: { jobsAtOnce: '1' } });
    onTestFinished(() => waiting.close());
    const as = await waiting.signIn('admin');
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) {
      const items = Array.from({ length: 200 }, () => ({ from: '/a.txt' }));
      const job = await waiting.fetch('/api/jobs', {
        method: 'POST',
        token: as,
        json: { kind: 'checksum', items },
      });
      ids.push(((await job.json()) as { id: string }).id);
    }
    const last = ids.at(-1) ?? '';
    expect((await waiting.fetch(`/api/jobs/${last}`, { method: 'DELETE', token: as })).status).toBe(200);
    const ends = (): Entry[] => recordsOf(waiting).filter(({ event }) => event === 'job.end');
    await expect.poll(() => ends().length).toBe(ids.length);
    expect(ends().filter(({ target }) => target?.job === last)).toMatchObject([
      { outcome: 'aborted', reason: 'cancelled', actor: { name: 'admin' } },
    ]);
  });

  test('of a share contains only the beginning of its hash, also in the path of the line', async () => {
    secrets.push('share-secret', 'wrong-share-secret');
    const made = await send('POST', '/api/share/docs', { as: alice, json: { password: 'share-secret' } });
    const { hash } = (await made.json()) as { hash: string };
    secrets.push(hash);
    const share = `${hash.slice(0, 6)}…`;
    expect(await recordFor(made)).toMatchObject({
      event: 'share.create',
      target: { path: '/docs', share },
      changed: ['expire=0', 'password'],
    });
    const wrong = await send('GET', `/api/public/share/${hash}/`, {
      as: '',
      headers: { 'x-share-password': 'wrong-share-secret' },
    });
    expect(wrong.status).toBe(401);
    expect(await recordFor(wrong)).toMatchObject({
      event: 'access.refused',
      outcome: 'refused',
      reason: 'wrong_password',
      channel: 'share',
      actor: { id: null, name: null },
      target: { share, endpoint: 'GET /api/public/share/{hash}/*' },
    });
    const missing = await send('GET', `/api/public/share/${hash}/`, { as: '' });
    expect(missing.status).toBe(401);
    expect(await recordFor(missing)).toMatchObject({ event: 'access.refused', reason: 'password_required' });
    const archive = await send('POST', `/api/public/archives/${hash}`, {
      as: '',
      json: { paths: ['/'] },
      headers: { 'x-share-password': 'share-secret' },
    });
    expect(await recordFor(archive)).toMatchObject({
      event: 'share.archive',
      channel: 'share',
      target: { share },
    });
    expect(await recordFor(await send('DELETE', `/api/share/${hash}`))).toMatchObject({
      event: 'share.delete',
      actor: asAdmin,
      target: { share, path: '/docs', user: { id: 2 } },
    });
  });

  test.each([
    ['without a token', '', 401, 'not_signed_in', 'none'],
    ['with a token that is not one', 'a.b.c', 401, 'not_signed_in', 'token'],
  ])('of a refused read %s names the endpoint and the path', async (_title, as, status, reason, channel) => {
    const response = await send('GET', '/api/resources/docs', { as });
    expect(response.status).toBe(status);
    expect(await recordFor(response)).toMatchObject({
      event: 'access.refused',
      outcome: 'refused',
      reason,
      channel,
      target: { path: '/docs', endpoint: 'GET /api/resources/*' },
    });
  });

  test('of a refused read of an endpoint for administrators names the user', async () => {
    const response = await send('GET', '/api/users', { as: alice });
    expect(await recordFor(response)).toMatchObject({
      event: 'access.refused',
      reason: 'forbidden',
      actor: asAlice,
    });
  });

  test('of a request with a cookie names that channel', async () => {
    const response = await send('GET', '/api/raw/a.txt', {
      as: '',
      headers: { cookie: 'filestead_session=xyz' },
    });
    expect(await recordFor(response)).toMatchObject({ event: 'access.refused', channel: 'cookie' });
    const query = await send('GET', '/api/raw/a.txt?auth=query.secret.token', { as: '' });
    secrets.push('query.secret.token', 'filestead_session');
    expect(await recordFor(query)).toMatchObject({ event: 'access.refused', channel: 'query' });
  });
});
