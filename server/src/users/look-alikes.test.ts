import { afterEach, describe, expect, test } from 'vitest';
import { type TestApp, startApp, testPassword } from '../../test/start-app.ts';

let app: TestApp;
afterEach(() => app.close());

const cyrillicAdmin = '\u0430dmin';
const problem = async (response: Response): Promise<unknown> => ({
  status: response.status,
  ...((await response.json()) as object),
});
const asJson = { accept: 'application/json' };
const signUp = (username: string): Promise<Response> =>
  app.fetch('/api/signup', { method: 'POST', json: { username, password: testPassword }, headers: asJson });
const create = async (username: string): Promise<Response> =>
  app.fetch('/api/users', {
    method: 'POST',
    token: await app.signIn('admin'),
    json: { what: 'user', which: [], data: { username, password: testPassword, scope: '/' } },
    headers: asJson,
  });
const update = async (id: number, which: string[], data: object): Promise<Response> =>
  app.fetch(`/api/users/${id}`, {
    method: 'PUT',
    token: await app.signIn('admin'),
    json: { what: 'user', which, data: { id, ...data } },
    headers: asJson,
  });

describe("a name that looks like another user's", () => {
  const conflict = {
    status: 409,
    code: 'username_taken',
    detail: 'the name looks like that of another user',
  };

  test('cannot be signed up, created or chosen later', async () => {
    app = await startApp({ settings: { signup: true }, users: [{ username: 'alice' }] });
    expect(await problem(await signUp(cyrillicAdmin))).toMatchObject(conflict);
    expect(await problem(await create('ADM\u0406N'))).toMatchObject(conflict);
    expect(await problem(await update(2, ['username'], { username: cyrillicAdmin }))).toMatchObject(conflict);
    const users = (await (
      await app.fetch('/api/users', { token: await app.signIn('admin') })
    ).json()) as unknown[];
    expect(users).toHaveLength(2);
  });

  test('is accepted for one of many concurrent sign-ups', async () => {
    app = await startApp({ settings: { signup: true } });
    const names = ['coco', '\u0441oco', 'c\u043eco', 'co\u0441o', 'coc\u043e'];
    const statuses = (await Promise.all(names.map(signUp))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409]);
  });

  test('remains usable where it exists, after other changes and in another case', async () => {
    app = await startApp({ users: [{ username: cyrillicAdmin }] });
    expect((await update(2, ['locale'], { locale: 'de' })).status).toBe(200);
    expect((await update(2, ['username'], { username: '\u0410dmin' })).status).toBe(200);
    await app.signIn('\u0410dmin');
  });

  test('is a different name if only its accents differ', async () => {
    app = await startApp({ settings: { signup: true }, users: [{ username: 'zoe' }] });
    expect((await signUp('zo\u00eb')).status).toBe(200);
  });
});

test.each(['\u3164', '\u2800\u2800', '\u115f\u1160', 'ad\u3164min', 'admin\ufe0f'])(
  'a username with invisible characters is refused with the reason: %j',
  async (username) => {
    app = await startApp({ settings: { signup: true } });
    for (const response of [await signUp(username), await create(username)]) {
      expect(await problem(response)).toMatchObject({
        status: 400,
        detail: expect.stringMatching(/invisible characters/) as unknown,
      });
    }
  },
);
