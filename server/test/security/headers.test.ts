import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { startApp } from '../start-app.ts';
import { bytesOf, exchange, parseResponse } from './raw-client.ts';
import { pixel, prepareStage } from './stage.ts';

const page = '<!doctype html><html><head><title>Filestead</title></head><body></body></html>';
const { stage, attack } = prepareStage({
  web: {
    'index.html': page,
    'static/assets/app-abc.js': 'export {}',
    'static/img/x.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  },
});
const inside = ['root/users/alice'];

beforeAll(() => {
  writeFileSync(join(stage().folder, 'root/users/alice/page.html'), '<script>1</script>');
  writeFileSync(join(stage().folder, 'root/users/alice/empty'), '');
  writeFileSync(join(stage().folder, 'root/users/alice/ten'), '0123456789');
  writeFileSync(join(stage().folder, 'root/users/alice/img.png'), pixel);
});

attack('HD-01', async ({ request }) => {
  for (const target of ['/', '/login', '/files/', '/settings/global', '/share/x']) {
    const { headers } = await request('', 'GET', target);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-frame-options']).toBe('DENY');
  }
  const raw = await request('alice', 'GET', '/api/raw/page.html?inline=true');
  expect(raw.headers['content-security-policy']).toContain("frame-ancestors 'self'");
});

attack('HD-03', async ({ request }) => {
  for (const [target, expected] of [
    ['//evil.example/%2f..', 200],
    ['/files//evil.example', 200],
    ['/\\evil.example', 200],
    ['/files', 302],
    ['/files?x=%0d%0aSet-Cookie:a=b', 302],
    ['//evil.example/files', 200],
    ['/%0d%0aX-Evil:1', 200],
    ['/files%0d%0aX-Evil:%201', 200],
    ['/login?redirect=//evil.example', 200],
    ['/\t/evil.example', 400],
    ['http://evil.example/files', 302],
  ] as const) {
    for (const host of ['filestead.test', 'evil.example']) {
      const { status, headers } = await request('', 'GET', target, { headers: { Host: host } });
      expect(status, target).toBe(expected);
      if (headers.location !== undefined) expect(headers.location).toMatch(/^\/(?!\/)[\w/%.-]*$/);
      expect(headers['x-evil'] ?? headers['set-cookie']).toBeUndefined();
    }
  }
});

describe('pages of other sites', () => {
  const foreign = {
    Origin: 'https://evil.example',
    'Sec-Fetch-Site': 'cross-site',
    'Sec-Fetch-Mode': 'no-cors',
  };

  attack('HD-05', async ({ request, app }) => {
    const signedIn = await app.fetch('/api/login', {
      method: 'POST',
      json: { username: 'alice', password: 'a password for tests' },
    });
    const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const token = (await signedIn.text()).trim();
    stage().keepSecret(token);
    for (const [method, target] of [
      ['POST', '/api/users'],
      ['POST', '/api/share/a.txt'],
      ['POST', '/api/resources/x?override=true'],
      ['POST', '/api/logout'],
      ['POST', '/api/renew'],
      ['POST', '/api/jobs'],
      ['POST', '/api/tus/x'],
      ['POST', '/api/archives'],
      ['PUT', '/api/settings'],
      ['DELETE', '/api/resources/a.txt'],
      ['POST', `/api/resources/x?auth=${token}`],
      ['POST', '/api/resources/a.txt?_method=DELETE'],
    ] as const) {
      for (const type of [
        'text/plain',
        'multipart/form-data; boundary=x',
        'application/x-www-form-urlencoded',
      ]) {
        const headers = { ...foreign, 'Content-Type': type, Cookie: `${cookie}; auth=${token}` };
        const { status } = await request('', method, target, { headers, body: '{"what":"user"}' });
        expect(status, `${method} ${target}`).toBe(401);
      }
    }
  });

  attack('HD-07', async ({ request }) => {
    for (const origin of [
      'https://evil.example',
      'null',
      'https://app.example.evil',
      'http://filestead.test',
    ]) {
      for (const [method, target] of [
        ['GET', '/api/resources/'],
        ['GET', '/api/raw/a.txt'],
        ['OPTIONS', '/api/resources/'],
        ['OPTIONS', '/api/login'],
        ['GET', '/health'],
        ['OPTIONS', '/api/tus/x'],
      ] as const) {
        const headers = {
          Origin: origin,
          'Access-Control-Request-Method': 'PUT',
          'Access-Control-Request-Headers': 'x-auth',
        };
        const response = await request('alice', method, target, { headers });
        expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    }
  });

  attack('HD-17', async () => {
    const open = await startApp({ files: { 'a.txt': 'a' }, config: { noauth: 'on' } });
    try {
      const ask = async (host: string): Promise<number[]> => {
        const { port } = new URL(open.url);
        const headers: [string, string][] = [['Host', host.replace('PORT', port)]];
        const login = parseResponse(
          await exchange(Number(port), bytesOf({ method: 'POST', target: '/api/login', headers, body: '' })),
        );
        return [login.status];
      };
      expect(await ask('127.0.0.1:PORT')).toEqual([200]);
      expect(await ask('localhost:PORT')).toEqual([200]);
      for (const host of ['attacker.example', 'attacker.example:PORT', '127.0.0.1.attacker.example:PORT']) {
        expect(await ask(host), host).toEqual([403]);
      }
    } finally {
      await open.close();
    }
  });
});

attack(
  'HD-09',
  async ({ request, share, folder }) => {
    const names = [
      'quo"te;.txt',
      'semi;colon=.txt',
      'back\\slash.txt',
      'per%cent%0d%0a.txt',
      'line\nbreak.txt',
      'return\rX-Evil: 1.txt',
      '漢字.txt',
      '😀.txt',
      `${'é'.repeat(125)}.txt`,
      '\u202Egpj.exe',
      '.hidden',
      'tab\t.txt',
      "it's (1)*.txt",
      '%2e%2e%2f.txt',
    ];
    const { allowed } = stage();
    allowed.push('root/users/alice');
    mkdirSync(join(folder, 'root/users/alice/odd'));
    for (const name of names) writeFileSync(join(folder, 'root/users/alice/odd', name), 'x');
    writeFileSync(
      Buffer.concat([Buffer.from(join(folder, 'root/users/alice/odd/')), Buffer.from([0x62, 0xff, 0xfe])]),
      'x',
    );
    const { hash } = await share('alice', '/odd/');
    for (const name of names) {
      for (const [who, target] of [
        ['alice', `/api/raw/odd/${encodeURIComponent(name)}`],
        ['', `/api/public/dl/${hash}/${encodeURIComponent(name)}`],
      ] as const) {
        const { status, headers } = await request(who, 'GET', target);
        expect(status, name).toBe(200);
        const disposition = headers['content-disposition'] ?? '';
        expect(disposition).toMatch(
          /^attachment; filename\*=utf-8''[\w!#$&+.^`|~%=:@,-]+; filename="[ !#-[\]-~]*"$/,
        );
        expect(disposition).not.toMatch(/[\r\n]/);
        expect(headers['x-evil']).toBeUndefined();
      }
    }
    for (const algo of ['zip', 'tar'])
      expect((await request('alice', 'GET', `/api/raw/odd/?algo=${algo}`)).status).toBe(200);
    expect((await request('alice', 'GET', '/api/resources/odd/')).status).toBe(200);
    expect((await request('alice', 'DELETE', '/api/resources/odd')).status).toBe(200);
  },
  { changes: inside },
);

attack('HD-11', async ({ request, share }) => {
  const { hash } = await share('alice', '/img.png');
  // After the test, the headers of each response are compared with those of its kind.
  for (const [who, method, target, expected] of [
    ['', 'GET', '/', 200],
    ['', 'GET', '/login', 200],
    ['', 'GET', '/files', 302],
    ['', 'GET', '/static/img/none.svg', 404],
    ['', 'GET', '/health', 200],
    ['', 'GET', '/api/none', 404],
    ['alice', 'GET', '/api/resources/', 200],
    ['alice', 'GET', '/api/resources/none', 404],
    ['alice', 'GET', '/api/users', 403],
    ['alice', 'GET', '/api/raw/a.txt', 200],
    ['alice', 'GET', '/api/raw/docs/?algo=zip', 200],
    ['alice', 'GET', '/api/preview/thumb/img.png', 200],
    ['alice', 'GET', '/api/preview/big/img.png', 200],
    ['alice', 'GET', '/api/raw/none', 404],
    ['', 'GET', '/api/raw/a.txt', 401],
    ['', 'GET', `/api/public/dl/${hash}`, 200],
    ['', 'GET', `/api/public/preview/thumb/${hash}`, 200],
    ['alice', 'PUT', '/api/resources/docs', 405],
    ['alice', 'POST', '/api/command/', 405],
    ['', 'GET', '/api/openapi.json', 200],
  ] as const) {
    const { status, headers, raw } = await request(who, method, target);
    expect(status, target).toBe(expected);
    expect(headers['x-powered-by'] ?? headers.server).toBeUndefined();
    expect(raw.toString('latin1')).not.toMatch(/^(?:x-)?(?:server|powered)/im);
  }
  const asset = await request('', 'GET', '/static/assets/app-abc.js');
  expect([asset.status, asset.headers['x-content-type-options'], asset.headers['content-type']]).toEqual([
    200,
    'nosniff',
    'text/javascript; charset=utf-8',
  ]);
  expect(await request('', 'GET', '/api/docs')).toMatchObject({ status: 200 });
});

attack('HD-13', async ({ port, request, token }) => {
  for (const [target, headers, expectedStatus] of [
    ['/api/resources/big.bin', [], 401],
    ['/api/resources/a.txt', [['X-Auth', token('alice')]], 409],
    ['/api/settings', [['X-Auth', token('alice')]], 403],
  ] as const) {
    const method = target === '/api/settings' ? 'PUT' : 'POST';
    const head = (more: (readonly [string, string])[]): Buffer =>
      bytesOf({
        method,
        target,
        headers: [...headers, ['Content-Length', '1000000000'], ['Connection', 'keep-alive'], ...more],
        body: '',
      });
    const waiting = (await exchange(port, head([['Expect', '100-continue']]), { timeoutMs: 1_500 })).toString(
      'latin1',
    );
    expect(waiting).toMatch(new RegExp(`^HTTP/1.1 ${expectedStatus} `));
    expect(waiting).not.toContain('100 Continue');
    // A body that contains further requests: none of them is answered.
    const smuggled = Buffer.concat([
      head([]),
      Buffer.from('GET /health HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3)),
    ]);
    const response = (await exchange(port, smuggled, { timeoutMs: 4_000 })).toString('latin1');
    expect(response.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(response).not.toContain('"status":"OK"');
  }
  // Contradictory lengths of the body are rejected.
  for (const headers of [
    [
      ['Content-Length', '5'],
      ['Transfer-Encoding', 'chunked'],
    ],
    [
      ['Content-Length', '5'],
      ['Content-Length', '6'],
    ],
    [['Transfer-Encoding', 'chunked, identity']],
    [['Content-Length', '+5']],
    [['Content-Length', '-1']],
  ] as const) {
    const bytes = bytesOf({ method: 'POST', target: '/api/login', headers, body: 'hello' });
    expect(parseResponse(await exchange(port, bytes, { timeoutMs: 1_500 })).status).toBe(400);
  }
  expect((await request('alice', 'GET', '/api/resources/')).status).toBe(200);
});

attack('HD-15', async ({ request }) => {
  for (const [range, expectedStatus, body] of [
    ['bytes=0-3', 206, '0123'],
    ['bytes=-3', 206, '789'],
    ['bytes=-0', 416, ''],
    ['bytes=5-2', 200, '0123456789'],
    ['bytes=10-', 416, ''],
    ['bytes=9223372036854775807-', 416, ''],
    ['bytes=0-9223372036854775807', 206, '0123456789'],
    [`bytes=${'0-,'.repeat(999)}0-`, 200, '0123456789'],
    ['bytes=0-5,3-9', 200, '0123456789'],
    [`bytes=${Array.from({ length: 40 }, () => '1-1').join()}`, 200, '0123456789'],
    ['bytes=a-b', 200, '0123456789'],
    ['lines=0-1', 200, '0123456789'],
    ['bytes=0x0-0x3', 200, '0123456789'],
    ['bytes=', 200, '0123456789'],
  ] as const) {
    const response = await request('alice', 'GET', '/api/raw/ten', { headers: { Range: range } });
    expect(response.status, range.slice(0, 40)).toBe(expectedStatus);
    if (expectedStatus !== 416) expect(response.text).toBe(body);
    expect(response.headers['content-type']).not.toContain('multipart');
  }
  // A response with several parts that do not overlap is not much larger than the file.
  const parts = await request('alice', 'GET', '/api/raw/ten', { headers: { Range: 'bytes=0-1,3-4' } });
  expect(parts.status).toBe(206);
  expect(parts.body.length).toBeLessThan(1_000);
  for (const range of ['bytes=0-', 'bytes=0-0', 'bytes=-1']) {
    expect((await request('alice', 'GET', '/api/raw/empty', { headers: { Range: range } })).status).toBe(416);
    expect(
      (await request('alice', 'GET', '/api/raw/docs/?algo=tar', { headers: { Range: range } })).status,
    ).toBe(200);
    expect(
      (await request('alice', 'GET', '/api/preview/thumb/img.png', { headers: { Range: range } })).status,
    ).toBe(206);
  }
});

attack('HD-19', async ({ status }) => {
  const body = '{"username":"alice","password":"x"}';
  for (const [type, expectedStatus] of [
    ['text/plain', 415],
    ['application/json\tx', 415],
    ['application/json; charset=utf-16', 415],
    ['application/json;charset=x', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/ld+json', 415],
    ['application/json, text/plain', 415],
    ['application/JSON', 403],
  ] as const) {
    const headers = { 'Content-Type': type, Origin: 'https://evil.example' };
    expect(await status('', 'POST', '/api/login', { headers, body }), type).toBe(expectedStatus);
  }
  for (const sign of [
    { Origin: 'null' },
    { Referer: 'https://evil.example/' },
    { 'Sec-Fetch-Site': 'cross-site' },
  ]) {
    expect(await status('', 'POST', '/api/login', { headers: sign, body })).toBe(415);
  }
  // A page in a browser cannot send this request: its media type is ignored, its content is checked.
  expect(await status('', 'POST', '/api/login', { body })).toBe(403);
  expect(await status('', 'POST', '/api/login', { body: '{' })).toBe(403);
  // The content is checked, whatever its media type is.
  for (const [type, expected] of [
    ['text/plain', 400],
    ['application/json\tx', 400],
    ['application/JSON ; charset=x', 400],
  ] as const) {
    const sent = { headers: { 'Content-Type': type }, body: '{"password":7}' };
    expect(await status('alice', 'POST', '/api/share/a.txt', sent), type).toBe(expected);
  }
});
