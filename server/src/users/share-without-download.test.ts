import { afterEach, describe, expect, test } from 'vitest';
import { type TestApp, startApp, testPassword } from '../../test/start-app.ts';

let app: TestApp;
afterEach(() => app.close());

const asJson = { accept: 'application/json' };
const problem = async (response: Response): Promise<unknown> => ({
  status: response.status,
  ...((await response.json()) as object),
});
const update = async (id: number, which: string[], data: object): Promise<Response> =>
  app.fetch(`/api/users/${id}`, {
    method: 'PUT',
    token: await app.signIn('admin'),
    json: { what: 'user', which, data: { id, ...data } },
    headers: asJson,
  });

describe('share without download', () => {
  const unusable = { share: true, create: true };
  const refused = {
    status: 400,
    code: 'bad_request',
    detail: 'perm: share requires download, because visitors of a share download',
  };

  test('is refused for a new user, for a user who had neither, and as a default', async () => {
    app = await startApp({ users: [{ username: 'alice', perm: { share: false, download: false } }] });
    const token = await app.signIn('admin');
    const data = { username: 'dora', password: testPassword, scope: '/', perm: unusable };
    const created = await app.fetch('/api/users', {
      method: 'POST',
      token,
      json: { what: 'user', which: [], data },
      headers: asJson,
    });
    expect(await problem(created)).toMatchObject(refused);
    expect(await problem(await update(2, ['perm'], { perm: unusable }))).toMatchObject(refused);
    const settings = (await (await app.fetch('/api/settings', { token })).json()) as { defaults: object };
    const put = (perm: object): object => ({ ...settings, defaults: { ...settings.defaults, perm } });
    const none = await app.fetch('/api/settings', { method: 'PUT', token, json: put({}) });
    expect(none.status).toBe(200);
    const json = put(unusable);
    expect(
      await problem(await app.fetch('/api/settings', { method: 'PUT', token, json, headers: asJson })),
    ).toMatchObject(refused);
  });

  test('is avoided when download is removed, which removes share too', async () => {
    app = await startApp({ users: [{ username: 'alice' }] });
    expect((await update(2, ['perm'], { perm: unusable })).status).toBe(200);
    const response = await app.fetch('/api/users/2', { token: await app.signIn('admin') });
    expect(await response.json()).toMatchObject({ perm: { create: true, share: false, download: false } });
  });

  test('remains where it is stored, so that older clients can change other fields', async () => {
    app = await startApp({ users: [{ username: 'alice', perm: { download: false } }] });
    const record = (await (
      await app.fetch('/api/users/2', { token: await app.signIn('admin') })
    ).json()) as object;
    expect((await update(2, ['all'], { ...record, locale: 'de' })).status).toBe(200);
    expect((await update(2, ['perm'], { perm: { share: true, download: true } })).status).toBe(200);
    expect((await update(2, ['perm'], { perm: { download: true } })).status).toBe(200);
    expect((await update(2, ['perm'], { perm: { share: false } })).status).toBe(200);
  });
});
