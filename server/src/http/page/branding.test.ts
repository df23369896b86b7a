import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PageConfig } from '@filestead/contract/page-config';
import type { Settings } from '@filestead/contract/settings';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../../test/start-app.ts';

const evilSvg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const page =
  '<!doctype html><html><head><title>Filestead</title><script>theme()</script></head><body><script type="module" src="./static/assets/a-1.js"></script></body></html>';
const web = {
  'index.html': page,
  'sw.js': 'self.skipWaiting()',
  'manifest.webmanifest': '{"name":"built","share_target":{"action":"./share","method":"POST"}}',
  'static/img/logo.svg': 'built logo',
  'static/img/icons/favicon.ico': 'built icon',
  'static/assets/a-1.js': 'go()',
};

let top: string;
let folder: string;
let app: TestApp;
let admin: string;

async function brand(branding: Partial<Settings['branding']>): Promise<void> {
  const settings = (await (await app.fetch('/api/settings', { token: admin })).json()) as Settings;
  const json = { ...settings, branding: { ...settings.branding, ...branding } };
  expect((await app.fetch('/api/settings', { method: 'PUT', token: admin, json })).status).toBe(200);
}

const raw = (path: string): Promise<string> =>
  app.rawRequest(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);

async function configOf(path: string): Promise<PageConfig> {
  const html = await (await app.fetch(path)).text();
  return JSON.parse(/id="config">(.*?)<\/script>/s.exec(html)?.[1] ?? '') as PageConfig;
}

beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'filestead-branding-')));
  folder = join(top, 'brand');
  await mkdir(join(folder, 'img', 'icons'), { recursive: true });
  await mkdir(join(folder, 'img', 'deep', 'er', 'still', 'more'), { recursive: true });
  const files: Record<string, string> = {
    'custom.css': 'body { color: red }',
    'secret.txt': 'canary',
    'index.html': 'canary',
    'img/logo.svg': evilSvg,
    'img/icons/android-chrome-192x192.png': 'own png',
    'img/page.html': '<script>canary</script>',
    'img/run.js': 'canary',
    'img/.hidden.png': 'canary',
    'img/deep/er/still/ok.png': 'deep',
    'img/deep/er/still/more/no.png': 'canary',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await writeFile(join(folder, 'img', 'huge.png'), Buffer.alloc(4 * 1024 * 1024 + 1));
  await writeFile(join(top, 'outside.png'), 'canary');
  await symlink(join(top, 'outside.png'), join(folder, 'img', 'out.png'));
  await symlink(top, join(folder, 'img', 'outfolder'));
  await symlink('logo.svg', join(folder, 'img', 'linked.svg'));
  execFileSync('mkfifo', [join(folder, 'img', 'pipe.png')]);
  app = await startApp({ web });
  admin = await app.signIn('admin');
});
afterAll(async () => {
  await app.close();
  await rm(top, { recursive: true, force: true });
});

test('a server without a branding folder serves the build’s own files, and the page has no stylesheet', async () => {
  expect(await (await app.fetch('/static/img/logo.svg')).text()).toBe('built logo');
  expect((await app.fetch('/static/custom.css')).status).toBe(404);
  expect((await configOf('/')).CSS).toBe(false);
  expect(await (await app.fetch('/')).text()).not.toContain('custom.css');
});

describe('with a branding folder', () => {
  beforeAll(() => brand({ files: folder, name: 'Our </title><script>alert(1)</script>', color: '#123456' }));

  test('serves its files before those of the build and revalidates them each time', async () => {
    const logo = await app.fetch('/static/img/logo.svg');
    expect(await logo.text()).toBe(evilSvg);
    expect(logo.headers.get('content-type')).toBe('image/svg+xml');
    expect(logo.headers.get('content-security-policy')).toContain("sandbox; default-src 'none'");
    expect(logo.headers.get('x-content-type-options')).toBe('nosniff');
    const etag = logo.headers.get('etag') ?? '';
    const again = await app.fetch('/static/img/logo.svg', { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    for (const [path, text] of [
      ['/static/img/icons/android-chrome-192x192.png', 'own png'],
      ['/static/img/icons/favicon.ico', 'built icon'],
      ['/favicon.ico', 'built icon'],
      ['/static/img/deep/er/still/ok.png', 'deep'],
      ['/static/img/linked.svg', evilSvg],
    ] as const) {
      expect(await (await app.fetch(path)).text(), path).toBe(text);
    }
  });

  test('adds its stylesheet to the page until it is removed', async () => {
    const html = await (await app.fetch('/login')).text();
    expect(html).toContain('<link rel="stylesheet" href="/static/custom.css"></body>');
    expect((await configOf('/login')).CSS).toBe(true);
    const sheet = await app.fetch('/static/custom.css');
    expect(sheet.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(await sheet.text()).toBe('body { color: red }');
    await rm(join(folder, 'custom.css'));
    expect((await configOf('/login')).CSS).toBe(false);
    expect((await app.fetch('/static/custom.css')).status).toBe(404);
    await writeFile(join(folder, 'custom.css'), 'body { color: red }');
  });

  test.each([
    '/static/',
    '/static/img',
    '/static/img/',
    '/static/img/icons/',
    '/static/secret.txt',
    '/static/index.html',
    '/static/img/page.html',
    '/static/img/run.js',
    '/static/img/.hidden.png',
    '/static/img/huge.png',
    '/static/img/out.png',
    '/static/img/outfolder/outside.png',
    '/static/img/pipe.png',
    '/static/img/deep/er/still/more/no.png',
    '/static/img/../secret.txt',
    '/static/img/../../outside.png',
    '/static/img/%2e%2e/%2e%2e/outside.png',
    '/static/img/..%2f..%2foutside.png',
    '/static/img/..%5c..%5coutside.png',
    '/static/img//logo.svg',
    '/static/img/logo.svg/',
    '/static/img/logo.svg%00.png',
    '/static//custom.css',
    '/static/img/%E0%A4%A.png',
  ])('does not serve %s', async (path) => {
    const response = await raw(path);
    expect(response).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(response).not.toContain('canary');
  });

  test('escapes the name in title and configuration', async () => {
    const html = await (await app.fetch('/share/x')).text();
    expect(html).toContain('<title>Our &lt;/title&gt;');
    expect(html).not.toContain('<script>alert');
    expect(await configOf('/share/x')).toMatchObject({
      Name: 'Our </title><script>alert(1)</script>',
      Color: '#123456',
    });
  });

  test("adds name, colors and icons to the application's manifest", async () => {
    for (const path of ['/manifest.webmanifest', '/manifest.json']) {
      const response = await app.fetch(path);
      expect(response.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      const manifest = (await response.json()) as { icons: { src: string }[] };
      expect(manifest).toMatchObject({
        name: 'Our </title><script>alert(1)</script>',
        start_url: '/',
        scope: '/',
        display: 'standalone',
        theme_color: '#123456',
        background_color: '#ffffff',
        share_target: { action: './share', method: 'POST' },
      });
      const own = manifest.icons.map(({ src }) => src);
      expect(own).toContain('/static/img/icons/android-chrome-192x192.png');
    }
  });
});

test('a branding folder that is missing or a file has no effect', async () => {
  for (const files of [join(top, 'missing'), join(top, 'outside.png'), '\0']) {
    await brand({ files });
    expect(await (await app.fetch('/static/img/logo.svg')).text()).toBe('built logo');
    expect((await app.fetch('/')).status).toBe(200);
  }
});
