import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '@filestead/contract/settings';
import { beforeAll, describe, expect } from 'vitest';
import { hasSandbox } from '../has-sandbox.ts';
import { talk } from '../open-socket.ts';
import { prepareStage } from './stage.ts';

const html = '<!DOCTYPE html><html><body><script>alert(document.domain)</script></body></html>';
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script>' +
  '<image href="https://evil.example/x.png"/><foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="/"/></body></foreignObject></svg>';
const page =
  '<!doctype html><html><head><title>Filestead</title></head><body><div id="root"></div></body></html>';
const { stage, attack } = prepareStage({
  config: { enableExec: 'on' },
  web: { 'index.html': page },
});
/** Media types that a browser displays without executing them. */
const passive =
  /^(?:application\/octet-stream|text\/plain; charset=utf-8|image\/(?!svg)[\w.+-]+|audio\/[\w.+-]+|video\/[\w.+-]+|application\/pdf)$/;

const payloads: Readonly<Record<string, string | Buffer>> = {
  'x.svg': svg,
  'x.svgz': svg,
  'page.html': html,
  'page.xhtml': html,
  'page.htm': html,
  'x.xml': '<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#s"?><a/>',
  'x.xsl': '<xsl:stylesheet/>',
  'x.mht': html,
  'x.swf': 'FWS',
  'x.shtml': html,
  'x.hta': html,
  'evil.js': 'alert(1)',
  'evil.mjs': 'alert(1)',
  'evil.css': 'body{background:url(https://evil.example)}',
  'evil.json': '{"a":1}',
  'evil.txt': 'alert(1)',
  'evil.wasm': Buffer.from('0061736d01000000', 'hex'),
  'x.md': `${html}\n[x](javascript:alert(1))`,
  a: html,
  'a.png': html,
  'a.unknown': html,
  'a.json': html,
  'a.': html,
  'a.pdf': html,
  'polyglot.pdf': `%PDF-1.4\n${html}`,
  'polyglot.html': `%PDF-1.4\n${html}`,
  'utf16.txt': Buffer.concat([Buffer.from('\uFEFF', 'utf16le'), Buffer.from(html, 'utf16le')]),
  'tags.mp3': Buffer.concat([
    Buffer.from(
      'ID3\u0003\u0000\u0000\u0000\u0000\u0000\u007fTIT2\u0000\u0000\u0000\u0040\u0000\u0000\u0000<script>alert(1)</script>',
      'latin1',
    ),
    Buffer.alloc(64),
  ]),
  'list.m3u': '#EXTM3U\nhttps://evil.example/x.mp3',
  'manifest.webmanifest': '{}',
};

/** Status of a preview for a file type without previews. */
const unsupported = 501;
/** Statuses of the previews of other {@link payloads}: drawings are sent in the sandbox, a picture that is HTML is broken. */
const previewStatuses: Readonly<Record<string, number>> = { 'x.svg': 200, 'x.svgz': 200, 'a.png': 422 };

beforeAll(async () => {
  const { folder, addUser } = stage();
  for (const [name, content] of Object.entries(payloads)) {
    writeFileSync(join(folder, 'root/users/alice', name), content);
  }
  await addUser('runner', { execute: true, download: true }, { commands: ['printf', 'cat', 'head'] });
});
const ask = (target: string, headers: Record<string, string> = {}) =>
  stage().request('alice', 'GET', target, { headers });

describe('contents of files', () => {
  attack('XS-01', async ({ share }) => {
    const { hash } = await share('alice', '/x.svg');
    for (const target of [
      '/api/raw/x.svg?inline=true',
      `/api/public/dl/${hash}?inline=true`,
      '/api/preview/big/x.svg?inline=true',
      '/api/preview/thumb/x.svg',
      `/api/public/preview/big/${hash}?inline=true`,
    ]) {
      const who = target.includes('public') ? '' : 'alice';
      const { status, headers } = await stage().request(who, 'GET', target);
      expect(status, target).toBe(200);
      const policy = headers['content-security-policy'] ?? '';
      expect(policy).toMatch(/^sandbox; default-src 'none'/);
      expect(policy).not.toMatch(/allow-scripts|script-src|https?:/);
    }
    expect((await ask('/api/raw/x.svg')).headers['content-disposition']).toMatch(/^attachment/);
  });

  attack('XS-03', async () => {
    for (const name of Object.keys(payloads)) {
      for (const query of ['?inline=true', '']) {
        const { status, headers } = await ask(`/api/raw/${encodeURIComponent(name)}${query}`);
        expect(status, name).toBe(200);
        const type = headers['content-type'] ?? '';
        if (name.startsWith('x.svg') && query !== '') expect(type).toBe('image/svg+xml');
        else expect(type, `${name}${query}`).toMatch(passive);
        expect(headers['x-content-type-options']).toBe('nosniff');
      }
    }
  });

  attack('XS-05', async () => {
    for (const name of Object.keys(payloads)) {
      const expected = previewStatuses[name] ?? unsupported;
      for (const size of ['thumb', 'big']) {
        const { status, headers } = await ask(`/api/preview/${size}/${encodeURIComponent(name)}?inline=true`);
        expect(status, name).toBe(expected);
        if (expected === 200) expect(headers['content-type'], name).toMatch(/^image\//);
      }
    }
  });

  attack('XS-09', async () => {
    const fake = await ask('/api/raw/a.pdf?inline=true');
    expect(fake.headers['content-type']).toBe('application/octet-stream');
    const real = await ask('/api/raw/polyglot.pdf?inline=true');
    expect(real.headers['content-type']).toBe('application/pdf');
    expect(real.headers['content-security-policy']).toMatch(/^default-src 'none'/);
    expect((await ask('/api/raw/polyglot.html?inline=true')).headers['content-type']).toBe(
      'text/plain; charset=utf-8',
    );
  });

  attack('XS-15', async () => {
    for (const name of ['tags.mp3', 'list.m3u']) {
      const response = await ask(`/api/raw/${name}?inline=true`);
      expect(response.headers['content-type']).toMatch(passive);
      const details = await ask(`/api/resources/${name}`);
      expect(details.headers['content-type']).toBe('application/json; charset=utf-8');
    }
  });

  attack('XS-17', async () => {
    for (const name of [
      'evil.js',
      'evil.mjs',
      'evil.css',
      'evil.json',
      'evil.txt',
      'x.svg',
      'page.html',
      'evil.wasm',
      'polyglot.pdf',
    ]) {
      for (const destination of [
        'script',
        'style',
        'worker',
        'sharedworker',
        'serviceworker',
        'audioworklet',
        'manifest',
        'xslt',
        'object',
        'embed',
      ]) {
        const response = await ask(`/api/raw/${name}?inline=true`, {
          'Sec-Fetch-Dest': destination,
          'Sec-Fetch-Site': 'same-origin',
        });
        const showsPdf = name === 'polyglot.pdf' && /^(?:object|embed)$/.test(destination);
        expect(response.status, `${name} as ${destination}`).toBe(showsPdf ? 200 : 403);
        expect(response.headers['service-worker-allowed']).toBeUndefined();
      }
      for (const mode of ['no-cors', 'cors']) {
        const foreign = await ask(`/api/raw/${name}`, {
          'Sec-Fetch-Site': 'cross-site',
          'Sec-Fetch-Mode': mode,
        });
        expect(foreign.status).toBe(403);
      }
      // As a document of its own, in the sandbox.
      expect(
        (
          await ask(`/api/raw/${name}?inline=true`, {
            'Sec-Fetch-Dest': 'document',
            'Sec-Fetch-Site': 'none',
            'Sec-Fetch-Mode': 'navigate',
          })
        ).status,
      ).toBe(200);
    }
    const policy = (await ask('/')).headers['content-security-policy'] ?? '';
    expect(policy).not.toMatch(/script-src[^;]*'unsafe-(?:inline|eval)'/);
    expect(policy).toMatch(/script-src 'self' 'sha256-/);
  });
});

describe('names and texts', () => {
  attack('XS-11', async ({ request: asking, status }) => {
    const current = JSON.parse((await asking('admin', 'GET', '/api/settings')).text) as Settings;
    const put = (branding: object): Promise<number> =>
      status('admin', 'PUT', '/api/settings', {
        json: { ...current, branding: { ...current.branding, ...branding } },
      });
    for (const name of [
      '</script><script>alert(1)</script>',
      '"};alert(1);//',
      '<!--<script>',
      '\u2028alert(1)',
      "' onload='x",
      '</title><script>x</script>',
    ]) {
      expect(await put({ name, color: '"><script>alert(1)</script>' })).toBe(200);
      for (const target of ['/', '/login', '/share/abc', '/files/']) {
        const { text, headers } = await stage().request('', 'GET', target);
        expect(text).not.toMatch(/<script>(?:alert|x)/);
        expect(text.match(/<script\b/g)).toHaveLength(2);
        const config = JSON.parse(
          /<script type="application\/json" id="config">(.*?)<\/script>/s.exec(text)?.[1] ?? '',
        ) as { Name: string };
        expect(config.Name).toBe(name);
        expect(/<script[^>]*>[^<]*\u2028/.test(text)).toBe(false);
        expect(headers['content-security-policy']).toContain("script-src 'self' 'sha256-");
      }
      const manifest = await stage().request('', 'GET', '/manifest.webmanifest');
      expect(manifest.status).toBe(200);
      expect(() => void JSON.parse(manifest.text)).not.toThrow();
    }
    for (const theme of ["x' onload='", 'dark"><script>', '__proto__'])
      expect(await put({ theme })).toBe(400);
    expect(await put({})).toBe(200);
  });

  attack('XS-13', async () => {
    const markup = '<script>alert(1)</script>';
    for (const target of [
      `/${markup}`,
      `/api/resources/${markup}`,
      '/api/resources/<img src=x onerror=alert(1)>',
      '/api/preview/<svg>/x',
      `/share/"${markup}`,
      `/api/search/?query=${markup}`,
      `/api/${markup}`,
      `/api/resources/?checksum=${markup}`,
      `/api/raw/?algo=${markup}`,
      `/api/users/${markup}`,
      `/files/${markup}`,
    ]) {
      for (const headers of [{}, { Accept: 'application/json' }, { Accept: 'text/html' }]) {
        const { status, headers: got, text } = await ask(target, headers);
        const type = got['content-type'] ?? '';
        if (type.startsWith('text/html')) expect([status, text.includes(markup)]).toEqual([200, false]);
        else expect(type, target).toMatch(/^(?:text\/plain|application\/(?:problem\+)?json); charset=utf-8$/);
      }
    }
  });

  attack('XS-19', async ({ app, status, signIn }) => {
    const name = '<img src=x onerror=alert(1)>';
    await status('', 'POST', '/api/login', { json: { username: name, password: 'x' } });
    await app.createUser({ username: name });
    await signIn(name);
    const users = await stage().request('admin', 'GET', '/api/users');
    expect(users.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(users.text).toContain('onerror');
  });

  attack('XS-21', async ({ app, token }) => {
    if (!hasSandbox) return;
    const run = (line: string) => talk(app, '/api/command/', [line], { token: token('runner') });
    const printed = await run(String.raw`printf '<script>alert(1)</script>\033]0;title\007\033[31mred'`);
    // Text as it is: the page shows it as text.
    expect(printed.lines.join('')).toContain('<script>alert(1)</script>');
    const endless = await run('head -c 30000000 /dev/zero');
    expect(endless.lines.join('').length).toBeLessThan(20 * 1024 * 1024);
  });
});
