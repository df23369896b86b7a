import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../../test/start-app.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startApp({
    web: {
      'index.html':
        '<!doctype html><html><head><title>Filestead</title></head><body><script type="module" src="./static/assets/a-1.js"></script></body></html>',
      'sw.js': 'self.skipWaiting()',
      'manifest.webmanifest': '{"name":"built"}',
      'static/assets/a-1.js': 'go()',
    },
    config: { baseURL: '/fb/', enableExec: 'on' },
    files: { 'fb/inside.txt': 'in a folder named like the base', 'fb/fb/x.txt': 'deeper', 'a.txt': 'a' },
  });
  token = await app.signIn('admin');
});
afterAll(() => app.close());

/** The server’s URL ends with the base; a proxy that strips it sends requests without. */
const fetchAt = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${new URL(app.url).origin}${path}`, { redirect: 'manual', ...init });

test.each(['', '/fb'])(
  'behind the prefix “%s” the page is served with addresses below the base URL',
  async (prefix) => {
    for (const path of ['/', '/files/', '/login', '/files/fb/', '/fbx']) {
      const response = await fetchAt(`${prefix}${path}`);
      expect(response.status).toBe(200);
      const html = await response.text();
      expect(html).toContain('src="/fb/static/assets/a-1.js"');
      expect(html).toContain('href="/fb/manifest.webmanifest"');
      expect(html).toContain('"BaseURL":"/fb"');
      expect(html).toContain('"StaticURL":"/fb/static"');
      expect(html).toContain('"EnableExec":true');
    }
    expect(await (await fetchAt(`${prefix}/static/assets/a-1.js`)).text()).toBe('go()');
    expect(await (await fetchAt(`${prefix}/sw.js`)).text()).toBe('self.skipWaiting()');
    expect(await (await fetchAt(`${prefix}/manifest.webmanifest`)).json()).toMatchObject({
      start_url: '/fb/',
      scope: '/fb/',
    });
    expect((await fetchAt(`${prefix}/files`)).headers.get('location')).toBe('/fb/files/');
    expect((await fetchAt(`${prefix}/health`)).status).toBe(200);
  },
);

test('the base URL alone serves the page', async () => {
  expect((await fetchAt('/fb')).status).toBe(200);
  expect((await fetchAt('/fb?x=1')).status).toBe(200);
});

test.each([
  ['/api/raw/fb/inside.txt', 'in a folder named like the base'],
  ['/fb/api/raw/fb/inside.txt', 'in a folder named like the base'],
  ['/api/raw/fb/fb/x.txt', 'deeper'],
  ['/fb/api/raw/fb/fb/x.txt', 'deeper'],
  ['/fb/api/raw/a.txt', 'a'],
  ['/api/raw/a.txt', 'a'],
])('a file is served at %s', async (path, text) => {
  expect(await (await fetchAt(path, { headers: { 'x-auth': token } })).text()).toBe(text);
});
