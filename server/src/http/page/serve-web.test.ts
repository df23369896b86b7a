import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../../test/start-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({
    web: {
      'index.html':
        '<!doctype html><html><head><script>theme()</script></head><body><script src="./static/assets/a-1.js"></script></body></html>',
      'favicon.svg': '<svg/>',
      'sw.js': 'self.skipWaiting()',
      'static/assets/a-1.js': 'plain',
      'static/assets/a-1.js.br': 'brotli',
    },
  });
});
afterAll(() => app.close());

test.each(['/', '/login', '/files/', '/files/a%20b/c.txt', '/share/x', '/settings/users', '/nowhere'])(
  'the path %s serves the page',
  async (path) => {
    const response = await app.fetch(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    const policy = response.headers.get('content-security-policy') ?? '';
    for (const part of [
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]) {
      expect(policy).toContain(part);
    }
    expect(policy).toMatch(/script-src 'self'( 'sha256-[^']+'){2};/);
    expect(await response.text()).toContain('"AuthMethod":"json"');
  },
);

test('a changed name is in the page at once', async () => {
  const token = await app.signIn('admin');
  const settings = (await (await app.fetch('/api/settings', { token })).json()) as { branding: object };
  const branding = { ...settings.branding, name: 'Our <files>' };
  const saved = await app.fetch('/api/settings', { method: 'PUT', token, json: { ...settings, branding } });
  expect(saved.status).toBe(200);
  expect(await (await app.fetch('/login')).text()).toContain('"Name":"Our \\u003cfiles>"');
});

test.each([
  ['br, gzip', 'br', 'brotli'],
  ['br;q=0.5', 'br', 'brotli'],
  ['identity', null, 'plain'],
])('for the encodings “%s” an asset is sent as %s', async (accepted, coding, content) => {
  const response = await app.rawRequest(
    `GET /static/assets/a-1.js HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${accepted}\r\nConnection: close\r\n\r\n`,
  );
  expect(response).toMatch(/^HTTP\/1\.1 200 /);
  expect(response).toContain('cache-control: public, max-age=31536000, immutable');
  expect(response).toContain('vary: Accept-Encoding');
  expect(/content-encoding: (\w+)/.exec(response)?.[1] ?? null).toBe(coding);
  expect(response.endsWith(content)).toBe(true);
});

test.each(['gzip', 'br;q=0, gzip'])(
  'for the encodings “%s” an asset is compressed by the server',
  async (accepted) => {
    const response = await app.fetch('/static/assets/a-1.js', { headers: { 'accept-encoding': accepted } });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(response.headers.get('vary')).toContain('Accept-Encoding');
    expect(await response.text()).toBe('plain');
  },
);

test('assets without a hash in their name are revalidated', async () => {
  const first = await app.fetch('/favicon.svg');
  expect(first.headers.get('cache-control')).toBe('no-cache');
  const etag = first.headers.get('etag') ?? '';
  const second = await app.fetch('/favicon.svg', { headers: { 'if-none-match': etag } });
  expect(second.status).toBe(304);
});

test.each([
  '/static/',
  '/static/assets/',
  '/static/assets/../../index.html',
  '/static/assets/a-1.js.br',
  '/static/nothing',
])('the path %s is not found', async (path) => {
  const response = await app.rawRequest(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(response).toMatch(/^HTTP\/1\.1 404 /);
});

test.each([
  '//evil.example/%2f..',
  '/files//evil.example',
  '/\\evil.example',
  '/files%0d%0aX: y',
  '/files?x',
])('a request for %s is never redirected to another server', async (path) => {
  const response = await app.rawRequest(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  const location = /\r\nlocation: ([^\r]*)/i.exec(response)?.[1] ?? '/';
  expect(location).toMatch(/^\/(?!\/)/);
  expect(response).not.toMatch(/\r\nX: y/);
});

test('the page reports a missing build, and the API works', async () => {
  const bare = await startApp();
  try {
    const response = await bare.fetch('/login', { headers: { accept: 'application/json' } });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ detail: 'the web application has not been built' });
    expect((await bare.fetch('/health')).status).toBe(200);
  } finally {
    await bare.close();
  }
});

test('the service worker is always revalidated and may connect to its own server', async () => {
  const response = await app.fetch('/sw.js');
  expect(response.headers.get('cache-control')).toBe('no-cache');
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toBe("default-src 'self'; frame-ancestors 'none'");
  expect(response.headers.get('service-worker-allowed')).toBeNull();
});

test('robots.txt excludes search engines', async () => {
  expect(await (await app.fetch('/robots.txt')).text()).toBe('User-agent: *\nDisallow: /\n');
  expect((await app.fetch('/login')).headers.get('x-robots-tag')).toBe('noindex, nofollow');
});
