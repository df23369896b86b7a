import { execFileSync } from 'node:child_process';
import { symlink, utimes, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../test/start-app.ts';

const letters = 'abcdefghij';
const modified = new Date('2024-03-01T10:00:00.500Z');
const lastModified = 'Fri, 01 Mar 2024 10:00:00 GMT';
const big = Buffer.from(Uint32Array.from({ length: 2_500_000 }, (_, index) => index * 2_654_435_761).buffer);
const script = '<script>C()</script>';
const svg = `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`;
let app: TestApp;
let admin: string;

beforeAll(async () => {
  app = await startApp({
    files: {
      '/letters.txt': letters,
      '/empty.txt': '',
      '/big.bin': big,
      '/folder/inner.txt': 'inner',
      '/secret/deny.txt': 'canary-deny',
      '/x.svg': svg,
      '/x.html': script,
      '/x.xhtml': script,
      '/x.xml': script,
      '/x.js': 'C()',
      '/x.css': 'body{}',
      '/x.json': '{}',
      '/x.png': script,
      '/x.unknown': script,
      '/x': script,
      '/x.mp4': 'film',
      '/x.vtt': 'WEBVTT',
      '/real.pdf': '%PDF-1.7\n',
      '/fake.pdf': script,
      '/polyglot.html': `%PDF-1.7\n${script}`,
      '/picture': Buffer.from('\x89PNG\r\n\x1a\n\0', 'latin1'),
      '/quote"d; 日 😀.txt': 'odd',
    },
    users: [
      { username: 'alice' },
      { username: 'viewer', perm: { download: false } },
      { username: 'sharer', perm: { download: false, share: true } },
      { username: 'ruled', rules: [{ path: '/secret' }] },
    ],
  });
  await utimes(join(app.root, 'letters.txt'), modified, modified);
  execFileSync('mkfifo', [join(app.root, 'pipe')]);
  await symlink('letters.txt', join(app.root, 'link'));
  await symlink('/etc/hostname', join(app.root, 'outside'));
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

const raw = (path: string, headers: Record<string, string> = {}, token = admin): Promise<Response> =>
  app.fetch(`/api/raw${path}`, { token, headers });

describe('one file', () => {
  test('is sent completely, with the headers of a passive download', async () => {
    const response = await raw('/letters.txt');
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(letters);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '10',
      'content-disposition': `attachment; filename*=utf-8''letters.txt; filename="letters.txt"`,
      'content-security-policy':
        "sandbox; default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'accept-ranges': 'bytes',
      'last-modified': lastModified,
      'cache-control': expect.stringMatching(/^private\b/) as unknown,
      etag: expect.stringMatching(/^"[0-9a-f]+"$/) as unknown,
    });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('is sent with all its bytes, including none', async () => {
    expect(Buffer.from(await (await raw('/big.bin')).arrayBuffer()).equals(big)).toBe(true);
    const empty = await raw('/empty.txt');
    expect(empty.headers.get('content-length')).toBe('0');
    expect(await empty.text()).toBe('');
  });

  test('is sent inline on request', async () => {
    const response = await raw('/letters.txt?inline=true');
    expect(response.headers.get('content-disposition')).toMatch(/^inline; filename\*=utf-8''letters\.txt/);
    const other = await raw('/letters.txt?inline=1');
    expect(other.headers.get('content-disposition')).toMatch(/^attachment/);
  });

  test('with an unusual name has one valid header', async () => {
    const response = await raw(`/${encodeURIComponent('quote"d; 日 😀.txt')}`);
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename*=utf-8''quote%22d%3B%20%E6%97%A5%20%F0%9F%98%80.txt; filename="quote_d_ _ __.txt"`,
    );
  });

  test('is sent to HEAD requests with the headers of GET and without a body', async () => {
    const response = await app.fetch('/api/raw/big.bin', { token: admin, method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String(big.length));
    expect(await response.text()).toBe('');
  });

  test('behind an internal link is served, behind an external one refused, and a pipe never read', async () => {
    expect(await (await raw('/link')).text()).toBe(letters);
    expect((await raw('/outside')).status).toBe(403);
    expect((await raw('/pipe')).status).toBe(403);
    expect((await raw('/missing')).status).toBe(404);
    expect(await (await raw('/letters.txt/')).text()).toBe(letters);
  });
});

describe('ranges', () => {
  test.each([
    ['bytes=0-3', 206, 'abcd', 'bytes 0-3/10'],
    ['bytes=1-2', 206, 'bc', 'bytes 1-2/10'],
    ['bytes=8-', 206, 'ij', 'bytes 8-9/10'],
    ['bytes=8-100', 206, 'ij', 'bytes 8-9/10'],
    ['bytes=-2', 206, 'ij', 'bytes 8-9/10'],
    ['bytes=-100', 206, letters, 'bytes 0-9/10'],
    ['bytes=5-2', 200, letters, null],
    ['bytes=abc', 200, letters, null],
    ['lines=1-2', 200, letters, null],
    ['bytes=0-5,2-3', 200, letters, null],
    [`bytes=${'0-,'.repeat(1000)}0-`, 200, letters, null],
    ['bytes=10-', 416, null, 'bytes */10'],
    ['bytes=9223372036854775808-', 416, null, 'bytes */10'],
    ['bytes=-0', 416, null, 'bytes */10'],
  ])('requested as %s are sent with status %d', async (range, status, body, contentRange) => {
    const response = await raw('/letters.txt', { range });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-range')).toBe(contentRange);
    const text = await response.text();
    if (body === null) expect(text).toBe('416 Range Not Satisfiable\n');
    else expect(text).toBe(body);
    expect(response.headers.get('content-length')).toBe(String(text.length));
  });

  test('in one request for a large file are sent as one multipart body', async () => {
    const requestedRanges = [
      [9_000_001, 9_000_003],
      [100_000, 7_000_000],
    ] as const;
    const range = `bytes=${requestedRanges.map(([first, last]) => `${first}-${last}`).join(', ')}`;
    const response = await raw('/big.bin', { range });
    expect(response.status).toBe(206);
    const [, boundary = ''] =
      /^multipart\/byteranges; boundary=([\w-]+)$/.exec(response.headers.get('content-type') ?? '') ?? [];
    const body = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-length')).toBe(String(body.length));
    const parts = requestedRanges.map(([first, last], index) =>
      Buffer.concat([
        Buffer.from(
          `${index === 0 ? '' : '\r\n'}--${boundary}\r\nContent-Type: application/octet-stream\r\n` +
            `Content-Range: bytes ${first}-${last}/${big.length}\r\n\r\n`,
        ),
        big.subarray(first, last + 1),
      ]),
    );
    expect(body.equals(Buffer.concat([...parts, Buffer.from(`\r\n--${boundary}--\r\n`)]))).toBe(true);
  });

  test('of an empty file cannot be satisfied', async () => {
    const response = await raw('/empty.txt', { range: 'bytes=0-' });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */0');
  });

  test('of a large file contain the right bytes', async () => {
    for (const [first, last] of [
      [0, 1],
      [1_000_003, 9_000_001],
      [big.length - 70_000, big.length - 1],
    ] as const) {
      const response = await raw('/big.bin', { range: `bytes=${first}-${last}` });
      expect(Buffer.from(await response.arrayBuffer()).equals(big.subarray(first, last + 1))).toBe(true);
    }
  });

  test('apply only while If-Range matches the state of the file', async () => {
    const { headers } = await raw('/letters.txt');
    const tag = headers.get('etag') ?? '';
    for (const [condition, status] of [
      [tag, 206],
      [`W/${tag}`, 200],
      ['"other"', 200],
      [lastModified, 206],
      ['Fri, 01 Mar 2024 10:00:01 GMT', 200],
    ] as const) {
      const response = await raw('/letters.txt', { range: 'bytes=0-3', 'if-range': condition });
      expect(response.status, condition).toBe(status);
    }
  });
});

test('conditional requests are evaluated against the entity tag and the modification time', async () => {
  const tag = (await raw('/letters.txt')).headers.get('etag') ?? '';
  for (const [headers, status] of [
    [{ 'if-none-match': tag }, 304],
    [{ 'if-none-match': '"other"' }, 200],
    [{ 'if-modified-since': lastModified }, 304],
    [{ 'if-modified-since': 'Fri, 01 Mar 2024 09:00:00 GMT' }, 200],
    [{ 'if-match': '"other"' }, 412],
    [{ 'if-match': tag }, 200],
  ] as [Record<string, string>, number][]) {
    const response = await raw('/letters.txt', headers);
    expect(response.status, JSON.stringify(headers)).toBe(status);
    if (status === 304) {
      expect(await response.text()).toBe('');
      expect(response.headers.get('etag')).toBe(tag);
      expect(response.headers.get('content-security-policy')).toContain('sandbox');
    }
  }
});

describe('active content', () => {
  test.each([
    // [path, type when shown in the browser, type when saved]
    ['/x.svg', 'image/svg+xml', 'application/octet-stream'],
    ['/x.html', 'text/plain; charset=utf-8', 'application/octet-stream'],
    ['/x.xhtml', 'text/plain; charset=utf-8', 'application/octet-stream'],
    ['/x.xml', 'text/plain; charset=utf-8', 'application/octet-stream'],
    ['/x.js', 'text/plain; charset=utf-8', 'application/octet-stream'],
    ['/x.css', 'text/plain; charset=utf-8', 'application/octet-stream'],
    ['/x.json', 'text/plain; charset=utf-8', 'application/octet-stream'],
    ['/polyglot.html', 'text/plain; charset=utf-8', 'application/octet-stream'],
    ['/x.png', 'image/png', 'image/png'],
    ['/x.unknown', 'text/plain; charset=utf-8', 'text/plain; charset=utf-8'],
    ['/x', 'text/plain; charset=utf-8', 'text/plain; charset=utf-8'],
    ['/x.mp4', 'video/mp4', 'video/mp4'],
    ['/x.vtt', 'text/vtt; charset=utf-8', 'text/vtt; charset=utf-8'],
    ['/real.pdf', 'application/pdf', 'application/pdf'],
    ['/fake.pdf', 'application/octet-stream', 'application/octet-stream'],
    ['/picture', 'image/png', 'image/png'],
  ])(
    'in the file %s is sent as %s when shown in the browser and as %s when saved',
    async (path, inline, attachment) => {
      const shown = await raw(`${path}?inline=true`);
      expect(shown.headers.get('content-type')).toBe(inline);
      expect((await raw(path)).headers.get('content-type')).toBe(attachment);
      expect(shown.headers.get('x-content-type-options')).toBe('nosniff');
      const isPdf = inline === 'application/pdf';
      expect(shown.headers.get('content-security-policy')?.startsWith('sandbox;')).toBe(!isPdf);
      expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
    },
  );

  test.each(['script', 'style', 'worker', 'sharedworker', 'serviceworker', 'object', 'embed', 'xslt'])(
    'is refused to pages that would use it as %s',
    async (destination) => {
      for (const path of ['/x.js', '/x.css', '/x.json', '/x.html', '/fake.pdf']) {
        const response = await raw(`${path}?inline=true`, { 'sec-fetch-dest': destination });
        expect(response.status, path).toBe(403);
        expect(await response.text()).not.toContain('C()');
      }
    },
  );

  test('a PDF may be embedded, pictures shown; other sites get neither', async () => {
    expect((await raw('/real.pdf?inline=true', { 'sec-fetch-dest': 'object' })).status).toBe(200);
    expect((await raw('/x.png?inline=true', { 'sec-fetch-dest': 'image' })).status).toBe(200);
    // Written as a raw request, because clients do not allow these headers to be set.
    const fromElsewhere = (mode: string, destination: string): Promise<string> =>
      app.rawRequest(
        `GET /api/raw/x.png?inline=true HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Auth: ${admin}\r\n` +
          `Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: ${mode}\r\nSec-Fetch-Dest: ${destination}\r\n\r\n`,
      );
    expect(await fromElsewhere('no-cors', 'image')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await fromElsewhere('navigate', 'document')).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('permission and rules', () => {
  test('without the permission to download neither bytes nor length are sent', async () => {
    for (const name of ['viewer', 'sharer']) {
      const token = await app.signIn(name);
      for (const [path, init] of [
        ['/letters.txt', {}],
        ['/letters.txt?inline=true', {}],
        ['/letters.txt', { headers: { range: 'bytes=0-3' } }],
        ['/letters.txt', { method: 'HEAD' }],
        ['/missing', {}],
        ['/folder/?algo=zip', {}],
        ['/?files=letters.txt&algo=zip', {}],
      ] as [string, RequestInit & { headers?: Record<string, string> }][]) {
        const response = await app.fetch(`/api/raw${path}`, { token, ...init });
        expect(response.status, path).toBe(403);
        expect(response.headers.get('content-length')).not.toBe('10');
        expect(await response.text()).not.toContain('abcd');
      }
    }
    expect((await raw('/letters.txt', {}, await app.signIn('alice'))).status).toBe(200);
  });

  test('every spelling of a denied path is refused', async () => {
    const token = await app.signIn('ruled');
    for (const path of [
      '/secret/deny.txt',
      '//secret//deny.txt',
      '/./secret/./deny.txt',
      '%2Fsecret%2fdeny.txt',
      '/secret%2Fdeny.txt',
      '/%73ecret/deny.txt',
      '/secret/missing',
    ]) {
      const response = await app.rawRequest(
        `GET /api/raw${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Auth: ${token}\r\n\r\n`,
      );
      expect(response, path).toMatch(/^HTTP\/1\.1 (?:403|404) /);
      expect(response).not.toContain('canary-deny');
    }
    expect((await raw('/secret/deny.txt')).status).toBe(200);
  });
});

test('a disconnecting client frees its resources, and the next one is served', async () => {
  await new Promise<void>((resolve, reject) => {
    const request = httpRequest(
      `${app.url}/api/raw/big.bin`,
      { headers: { 'x-auth': admin } },
      (response) => {
        response.once('data', () => {
          request.destroy();
          resolve();
        });
      },
    );
    request.once('error', reject);
    request.end();
  });
  expect(Buffer.from(await (await raw('/big.bin')).arrayBuffer()).equals(big)).toBe(true);
  expect(app.log.join('')).not.toContain('unexpected error');
});

test('many concurrent slow and fast downloads get their own bytes', async () => {
  const responses = await Promise.all(Array.from({ length: 24 }, () => raw('/big.bin')));
  for (const response of responses) {
    expect(Buffer.from(await response.arrayBuffer()).equals(big)).toBe(true);
  }
});

test('a file that is replaced during its download is sent with its old content', async () => {
  const response = await raw('/big.bin');
  const replaced = await app.fetch('/api/resources/big.bin?override=true', {
    method: 'POST',
    token: admin,
    body: 'new',
  });
  expect(replaced.status).toBe(200);
  expect(Buffer.from(await response.arrayBuffer()).equals(big)).toBe(true);
  await writeFile(join(app.root, 'big.bin'), big);
});
