import { beforeEach, describe, expect, test } from 'vitest';
import {
  password,
  app,
  alice,
  share,
  info,
  download,
  show,
  withPassword,
  status,
  usePublicShares,
} from '../../test/fixtures/public-shares.ts';

usePublicShares();

describe('a protected share', () => {
  let hash: string;
  let token: string;
  beforeEach(async () => {
    hash = await share('/docs', { password: `  ${password} ` });
    token = (await show(hash, withPassword(password))).token ?? '';
  });

  test('serves nothing without its password, to visitors and users', async () => {
    const file = await share('/a.txt', { password });
    const folderResponse = await info(hash);
    const fileResponse = await info(file);
    const headersOf = ({ headers }: Response): string[] =>
      [...headers]
        .filter(([name]) => name !== 'x-request-id' && name !== 'date')
        .map((header) => header.join());
    expect(headersOf(folderResponse)).toEqual(headersOf(fileResponse));
    expect(await folderResponse.text()).toBe('401 Unauthorized\n');
    expect(await fileResponse.text()).toBe('401 Unauthorized\n');
    for (const rest of [
      hash,
      `${hash}/`,
      `${hash}/ok.txt`,
      `${hash}/missing`,
      `${hash}/secret/deny.txt`,
      file,
    ]) {
      const sizes = await app.fetch(`/api/public/media/${rest}`, {
        method: 'POST',
        token: alice,
        json: { names: ['pixel.png'] },
      });
      expect([rest, sizes.status]).toEqual([rest, 401]);
      for (const endpoint of ['share', 'dl', 'preview/thumb']) {
        for (const method of ['GET', 'HEAD']) {
          const response = await app.fetch(`/api/public/${endpoint}/${rest}?inline=true`, {
            method,
            token: alice,
            headers: { range: 'bytes=0-1', cookie: `auth=${alice}` },
          });
          expect(response.status, `${method} ${endpoint} ${rest}`).toBe(401);
          expect(response.headers.get('content-length')).toBe('17');
          expect(response.headers.get('cache-control')).toBe('no-store');
          expect(await response.text()).toMatch(/^(401 Unauthorized\n)?$/);
        }
      }
    }
    expect(await status(info(hash, { 'x-share-password': '' }))).toBe(401);
  });

  test('opens with the password and returns a token that is valid for this share only', async () => {
    expect(token).toMatch(/^[A-Za-z0-9_-]{72}$/);
    const opened = await info(hash, withPassword(password));
    expect(opened.headers.get('cache-control')).toBe('no-store');
    expect(opened.headers.get('vary')).toContain('x-share-password');
    const rows = await info(hash, { ...withPassword(password), accept: 'application/x-ndjson' });
    expect(JSON.parse((await rows.text()).split('\n')[0] ?? '')).toHaveProperty('token');
    expect(await show(`${hash}?token=${token}`)).toMatchObject({ name: 'docs', token });
    expect(await show(`${hash}/sub/?token=${token}`)).toMatchObject({ name: 'sub', token });
    expect(await (await download(`${hash}/ok.txt?token=${token}`)).text()).toBe('fine');
    expect(await status(download(`${hash}/ok.txt?token=${token}`, { range: 'bytes=0-1' }))).toBe(206);
    expect(await status(download(`${hash}?algo=tar&token=${token}`))).toBe(200);
    expect(await status(download(`${hash}?algo=tar`))).toBe(401);
    expect(await status(download(`${hash}?files=ok.txt,sub&token=${token}`))).toBe(200);
    expect(await (await download(`${hash}/ok.txt`, withPassword(password))).text()).toBe('fine');

    const other = await share('/docs', { password });
    const file = await share('/docs/ok.txt', { password });
    const fileToken = (await show(file, withPassword(password))).token ?? '';
    expect(await (await download(`${file}?token=${fileToken}`)).text()).toBe('fine');
    for (const [shared, wrong] of [
      [other, token],
      [file, token],
      [hash, fileToken],
    ] as const) {
      expect(await status(info(`${shared}?token=${wrong}`))).toBe(401);
    }
  });

  test.each([
    ['an empty token', () => '?token='],
    ['a token without a value', () => '?token'],
    ['“undefined”', () => '?token=undefined'],
    ['the beginning of the token', () => `?token=${token.slice(0, 40)}`],
    ['another case', () => `?token=${token.toLowerCase()}`],
    ['a list', () => `?token[]=${token}`],
    ['a longer end of life', () => `?token=B${token.slice(1)}`],
    ['something behind it', () => `?token=${token}A`],
    ['padding', () => `?token=${token}%3D`],
    ['the hash', () => `?token=${hash}`],
    ['a session', () => `?token=${alice}`],
    ['the session’s parameter', () => `?auth=${alice}`],
  ])('does not open with %s', async (_name, query) => {
    for (const endpoint of ['share', 'dl']) {
      expect(await status(app.fetch(`/api/public/${endpoint}/${hash}/ok.txt${query()}`))).toBe(401);
    }
  });

  test('rejects a token of the maximum length of a request', async () => {
    const response = await app.rawRequest(
      `GET /api/public/share/${hash}?token=${'x'.repeat(10_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 4(01|14|31) /);
  });

  test('an unprotected share needs no password and returns no token', async () => {
    const open = await share('/docs');
    expect(await show(`${open}?token=`, { 'x-share-password': '%zz' })).not.toHaveProperty('token');
    expect(await status(download(`${open}/ok.txt?token=undefined`))).toBe(200);
  });

  test.each([
    ['wrong', 401],
    ['%', 400],
    ['%zz', 400],
    ['%ff', 400],
    ['%00', 401],
    ['let%20me%20in%00', 401],
    ['Let%20me%20in', 401],
    ['let%2520me%2520in', 401],
    ['x'.repeat(10_000), 401],
    ['l\xc3\xa9t', 401],
    ['let%20me%20in', 200],
    ['let+me+in', 200],
    ['let me in', 200],
    ['%20let%20me%20in%20', 200],
  ])('for the password header %j returns %d', async (header, expected) => {
    const response = await app.rawRequest(
      Buffer.from(
        `GET /api/public/share/${hash} HTTP/1.1\r\nHost: x\r\nX-Share-Password: ${header}\r\nConnection: close\r\n\r\n`,
        'latin1',
      ),
    );
    expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${expected} `));
  });

  test('rejects two password headers', async () => {
    const line = 'X-Share-Password: let%20me%20in\r\n';
    const response = await app.rawRequest(
      `GET /api/public/share/${hash} HTTP/1.1\r\nHost: x\r\n${line}${line}Connection: close\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('returns problem details to clients that request JSON', async () => {
    const response = await info(hash, { accept: 'application/json' });
    expect(await response.json()).toMatchObject({ status: 401, code: 'password_required' });
  });

  test('becomes invalid, like its token, when its owner deletes it', async () => {
    const ended = await app.fetch(`/api/share/${hash}`, { method: 'DELETE', token: alice });
    expect(ended.status).toBe(200);
    const again = await share('/docs', { password });
    expect(await status(info(`${hash}?token=${token}`))).toBe(404);
    expect(await status(info(`${again}?token=${token}`))).toBe(401);
  });
});

describe('the expiry of a share', () => {
  test('applies to details, downloads and tokens alike', async () => {
    const hash = await share('/docs', { expires: '5', unit: 'minutes', password });
    const { token } = await show(hash, withPassword(password));
    app.clock.advance(3 * 60_000);
    expect(await status(download(`${hash}/ok.txt?token=${token}`))).toBe(200);
    app.clock.advance(3 * 60_000);
    expect(await status(info(hash, withPassword(password)))).toBe(404);
    expect(await status(info(`${hash}?token=${token}`))).toBe(404);
    expect(await status(download(`${hash}/ok.txt?token=${token}`))).toBe(404);
  });
});
