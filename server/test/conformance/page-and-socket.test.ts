import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasSandbox } from '../has-sandbox.ts';
import { openSocket, talk } from '../open-socket.ts';
import { type TestApp, startApp } from '../start-app.ts';

const page =
  '<!doctype html><html><head><title>Filestead</title></head><body><script type="module" src="./static/assets/a-1.js"></script></body></html>';
const web = { 'index.html': page, 'static/assets/a-1.js': 'go()', 'static/img/logo.svg': '<svg/>' };

/** Returns the `window.FileBrowser` that a front end finds; the page's scripts are run as in a browser. */
function configOf(html: string): Record<string, unknown> {
  const data = /<script type="application\/json" id="config">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
  const script = /<script>(window\.FileBrowser[\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
  const window: { FileBrowser?: Record<string, unknown> } = {};
  const document = { getElementById: (id: string) => (id === 'config' ? { textContent: data } : null) };
  runInNewContext(script, { window, document });
  return window.FileBrowser ?? {};
}

describe('the page (docs/reference/filebrowser-api.md §2)', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ web, files: { 'a.txt': 'hello\n' } });
  });
  afterAll(() => app.close());

  test('contains its configuration as window.FileBrowser, with all keys and types', async () => {
    const response = await app.fetch('/');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toMatch(/no-store|no-cache/);
    expect(configOf(await response.text())).toMatchObject({
      AuthMethod: 'json',
      BaseURL: '',
      CSS: false,
      Color: '',
      DisableExternal: false,
      DisableUsedPercentage: false,
      EnableExec: false,
      EnableThumbs: true,
      HideLoginButton: expect.any(Boolean),
      LoginPage: true,
      LogoutPage: '/login',
      Name: '',
      NoAuth: false,
      ReCaptcha: false,
      ReportURL: '',
      ResizePreview: true,
      ShareDefaults: { duration: 0, unit: 'hours' },
      Signup: false,
      StaticURL: '/static',
      Theme: '',
      TusSettings: { chunkSize: 10_485_760, retryCount: 5 },
      Version: expect.any(String),
    });
  });

  test('has its configuration keys in alphabetical order, and captcha keys only with a captcha', async () => {
    const config = configOf(await (await app.fetch('/login')).text());
    expect(Object.keys(config)).toEqual(Object.keys(config).toSorted());
    expect(config).not.toHaveProperty('ReCaptchaHost');
    expect(config).not.toHaveProperty('ReCaptchaKey');
  });

  test.each([
    '/',
    '/login',
    '/files/',
    '/files/docs/a.txt',
    '/share/abc',
    '/settings/users/2',
    '/no/such/place',
    '/files/100%25',
  ])('GET %s is the page', async (path) => {
    const response = await app.fetch(path);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('window.FileBrowser');
  });

  test.each([
    ['GET', '/api/unknown', 404],
    ['GET', '/static/none.js', 404],
    ['GET', '/static/', 404],
    ['GET', '/static/img/', 404],
    ['POST', '/', 404],
    ['DELETE', '/files/', 404],
  ])('%s %s is %d', async (method, path, status) => {
    const response = await app.fetch(path, { method });
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain('<html');
  });

  test('escapes the name of the installation', async () => {
    const token = await app.signIn('admin');
    const settings = (await (await app.fetch('/api/settings', { token })).json()) as { branding: object };
    const name = '</script><b>\'"&';
    const json = { ...settings, branding: { ...settings.branding, name, theme: 'dark', color: '#123456' } };
    expect((await app.fetch('/api/settings', { method: 'PUT', token, json })).status).toBe(200);
    const html = await (await app.fetch('/')).text();
    expect(html).not.toContain('</script><b>');
    expect(configOf(html)).toMatchObject({ Name: name, Theme: 'dark', Color: '#123456' });
    expect((await app.fetch('/api/settings', { method: 'PUT', token, json: settings })).status).toBe(200);
  });

  test('serves static files', async () => {
    const script = await app.fetch('/static/assets/a-1.js');
    expect([script.status, await script.text()]).toEqual([200, 'go()']);
    expect(script.headers.get('content-type')).toMatch(/javascript/);
    expect(script.headers.get('cache-control')).toMatch(/public, max-age=/);
    expect((await app.fetch('/static/img/logo.svg')).headers.get('content-type')).toMatch(/^image\/svg\+xml/);
  });

  test('answers /health for any method', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const response = await app.fetch('/health', { method });
      expect([response.status, await response.text()]).toEqual([200, '{"status":"OK"}']);
    }
    expect((await app.fetch('/health', { method: 'HEAD' })).status).toBe(200);
  });

  test('rejects the command socket without command execution', async () => {
    const token = await app.signIn('admin');
    await expect(openSocket(app, '/api/command/', { token })).rejects.toThrow('403');
    await expect(openSocket(app, '/api/command/')).rejects.toThrow('401');
  });
});

describe.each(['/fb', '/fb/', 'fb', '/deep/er'])(
  'a base URL given as %s (docs/reference/filebrowser-api.md §1.1, §10)',
  (given) => {
    const base = `/${given.replaceAll(/^\/|\/$/g, '')}`;
    let app: TestApp;
    let top: string;
    beforeAll(async () => {
      app = await startApp({
        web,
        config: { baseURL: given },
        files: { 'a.txt': 'hello\n', 'fb/inside.txt': 'inside' },
      });
      top = new URL('/', app.url).href.slice(0, -1);
    });
    afterAll(() => app.close());

    test('serves every endpoint with and without the prefix', async () => {
      const token = await app.signIn('admin');
      const headers = { 'x-auth': token };
      for (const prefix of [base, '']) {
        const status = async (path: string): Promise<number> =>
          (await fetch(top + prefix + path, { headers, redirect: 'manual' })).status;
        expect(await status('/health')).toBe(200);
        expect(await status('/api/resources/')).toBe(200);
        expect(await status('/api/raw/a.txt')).toBe(200);
        expect(await status('/api/resources/fb/inside.txt')).toBe(200);
        expect(await status('/static/assets/a-1.js')).toBe(200);
        expect(await status('/api/none')).toBe(404);
      }
      const echoed = (await (await fetch(`${top}${base}/api/resources/a.txt`, { headers })).json()) as object;
      expect(echoed).toMatchObject({ path: '/a.txt' });
    });

    test('is part of the page configuration', async () => {
      for (const path of [base, `${base}/`, `${base}/files/`, `${base}/login`, '/']) {
        const html = await (await fetch(top + path)).text();
        expect(configOf(html)).toMatchObject({ BaseURL: base, StaticURL: `${base}/static` });
        expect(html).toContain(`src="${base}/static/assets/a-1.js"`);
      }
    });

    test('is missing in the Location of a new user and present in that of a resumable upload', async () => {
      const token = await app.signIn('admin');
      const data = { username: 'new', password: 'quite a long password' };
      const json = { what: 'user', which: [], data };
      const created = await app.fetch('/api/users', { method: 'POST', token, json });
      expect(created.headers.get('location')).toMatch(/^\/settings\/users\/\d+$/);
      const headers = { 'upload-length': '3' };
      const upload = await app.fetch('/api/tus/part%20one.txt', { method: 'POST', token, headers });
      expect([upload.status, upload.headers.get('location')]).toEqual([
        201,
        `${base}/api/tus/part%20one.txt`,
      ]);
    });
  },
);

describe.skipIf(!hasSandbox)('the command socket (docs/reference/filebrowser-api.md §1.15, §9.2)', () => {
  let app: TestApp;
  let token: string;
  beforeAll(async () => {
    app = await startApp({
      files: { 'docs/one.txt': '1', 'docs/two.txt': '2' },
      config: { enableExec: 'true' },
      users: [
        { username: 'ann', perm: { execute: true }, commands: ['ls', 'sh', 'nosuchprogram'] },
        { username: 'ben', commands: ['ls'] },
      ],
    });
    token = await app.signIn('ann');
  });
  afterAll(() => app.close());

  test('sends lines one by one and ignores blank first messages', async () => {
    const { lines } = await talk(app, '/api/command/docs', ['', '  ', 'ls'], { token });
    expect(lines).toEqual(['one.txt', 'two.txt']);
    const slashed = await talk(app, '/api/command/docs/', ['ls -1'], { token });
    expect(slashed.lines).toEqual(['one.txt', 'two.txt']);
  });

  test('sends output and errors of a program', async () => {
    const { lines } = await talk(app, '/api/command/', ["sh -c 'echo out; echo err >&2'"], { token });
    expect(lines.toSorted()).toEqual(['err', 'out']);
  });

  test('reports commands that are not allowed or do not exist', async () => {
    expect((await talk(app, '/api/command/', ['lsof'], { token })).lines).toEqual(['Command not allowed.']);
    const missing = await talk(app, '/api/command/', ['nosuchprogram x'], { token });
    expect(missing.lines).toEqual(['exec: "nosuchprogram": executable file not found in $PATH']);
  });

  test('accepts connections with a token and the permission only', async () => {
    const handshake = (options: Parameters<typeof openSocket>[2], query = ''): Promise<unknown> =>
      openSocket(app, `/api/command/${query}`, options).then((socket) => socket.terminate());
    await expect(handshake({})).rejects.toThrow('401');
    await expect(handshake({ token, headers: { origin: 'https://evil.example' } })).rejects.toThrow('403');
    await expect(handshake({ token: await app.signIn('ben') })).rejects.toThrow('403');
    await handshake({ token, headers: { origin: app.url } });
    await handshake({}, `?auth=${token}`);
    await handshake({ headers: { cookie: `auth=${token}` } });
  });
});
