import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Settings } from '@filestead/contract/settings';
import { beforeAll, describe, expect } from 'vitest';
import { breakOffUpload } from '../break-off.ts';
import { type RawResponse, bytesOf, exchange, parseResponse } from './raw-client.ts';
import { prepareStage } from './stage.ts';

const { stage, attack } = prepareStage({
  config: { enableExec: 'on', uploadsPerUser: '20', uploadExpiration: '10m', maxUploadSize: '64MiB' },
});
const inside = ['root/users/alice'];
const home = (path: string): string => join(stage().folder, 'root/users/alice', path);
const tus = { 'Tus-Resumable': '1.0.0' };
const part = { ...tus, 'Content-Type': 'application/offset+octet-stream' };

async function begin(who: string, path: string, length: number, query = ''): Promise<string> {
  const response = await stage().request(who, 'POST', `/api/tus${path}${query}`, {
    headers: { ...tus, 'Upload-Length': String(length) },
  });
  expect(response.status, response.text).toBe(201);
  return (response.headers.location ?? '').replace(/^https?:\/\/[^/]*/, '');
}
const append = (who: string, address: string, offset: number, body: string | Buffer): Promise<RawResponse> =>
  stage().request(who, 'PATCH', address, { headers: { ...part, 'Upload-Offset': String(offset) }, body });
/** A request whose body stops half-way. */
async function breakOff(target: string, method: string, length: number): Promise<void> {
  const { port, token } = stage();
  const headers = [
    ['X-Auth', token('alice')],
    ['Content-Length', String(length)],
  ] as const;
  await breakOffUpload(port, bytesOf({ method, target, headers, body: 'x'.repeat(64) }), home(''));
}

beforeAll(async () => {
  await stage().addUser('creator', { create: true });
});

describe('uploads in one request', () => {
  attack(
    'UP-01',
    async ({ request, port, token }) => {
      for (const length of ['1000000000000000', '99999999999999999999', '67108865']) {
        const headers = [
          ['X-Auth', token('alice')],
          ['Content-Length', length],
        ] as const;
        const response = parseResponse(
          await exchange(
            port,
            bytesOf({ method: 'POST', target: '/api/resources/huge.bin', headers, body: 'x' }),
            { timeoutMs: 4_000 },
          ),
        );
        // A number without an exact representation is rejected.
        expect(response.status, length).toBe(length === '99999999999999999999' ? 400 : 413);
      }
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
      const head = bytesOf({
        method: 'POST',
        target: '/api/resources/huge.bin',
        headers: [
          ['X-Auth', token('alice')],
          ['Transfer-Encoding', 'chunked'],
        ],
      });
      const chunked = Buffer.concat([head, Buffer.from(chunk.repeat(1_040)), Buffer.from('0\r\n\r\n')]);
      expect(parseResponse(await exchange(port, chunked)).status).toBe(413);
      for (const length of ['1000000000000000', '-1', '1e3', '99999999999999999999', '']) {
        const response = await request('alice', 'POST', '/api/tus/huge.bin', {
          headers: { ...tus, 'Upload-Length': length },
        });
        expect(response.status, length).toBe(length === '1000000000000000' ? 413 : 400);
      }
      expect(existsSync(home('huge.bin'))).toBe(false);
    },
    { changes: inside },
  );

  attack(
    'UP-05',
    async ({ request, app, token }) => {
      const size = 256 * 1024;
      writeFileSync(home('shared.bin'), 'a'.repeat(size));
      const versions = Array.from({ length: 12 }, (_, n) => String.fromCharCode(97 + n).repeat(size));
      const uploads = versions.map((body) =>
        request('alice', 'POST', '/api/resources/shared.bin?override=true', { body }),
      );
      const reading = (async () => {
        for (let round = 0; round < 12; round++) {
          const text = await (await app.fetch('/api/raw/shared.bin', { token: token('alice') })).text();
          expect(text.length === size && versions.includes(text)).toBe(true);
        }
      })();
      expect((await Promise.all(uploads)).map(({ status }) => status)).toEqual(versions.map(() => 200));
      await reading;
      expect(versions).toContain(readFileSync(home('shared.bin'), 'utf8'));
    },
    { changes: inside },
  );

  attack(
    'UP-07',
    async ({ request, folder }) => {
      const before = readdirSync(folder);
      const form =
        '--x\r\nContent-Disposition: form-data; name="file"; filename="../../x"\r\n\r\nevil\r\n--x--\r\n';
      expect(
        (
          await request('alice', 'POST', '/api/resources/form.txt', {
            body: form,
            headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
          })
        ).status,
      ).toBe(200);
      expect(readFileSync(home('form.txt'), 'utf8')).toBe(form);
      const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
      const packed = await request('alice', 'POST', '/api/resources/packed.bin', {
        body: bomb,
        headers: { 'Content-Encoding': 'gzip' },
      });
      expect(packed.status).toBe(200);
      expect(readFileSync(home('packed.bin')).equals(bomb)).toBe(true);
      const coded = await request('alice', 'POST', '/api/resources/coded.bin', {
        body: bomb,
        headers: { 'Transfer-Encoding': 'gzip' },
      });
      expect(coded.status).toBe(400);
      expect(readdirSync(folder)).toEqual(before);
    },
    { changes: inside },
  );

  attack(
    'UP-09',
    async ({ status }) => {
      for (const mode of [0o750, 0o600, 0o640]) {
        writeFileSync(home('kept.txt'), 'old');
        chmodSync(home('kept.txt'), mode);
        expect(await status('alice', 'PUT', '/api/resources/kept.txt', { body: 'new' })).toBe(200);
        expect(statSync(home('kept.txt')).mode & 0o777).toBe(mode);
        expect(
          await status('alice', 'POST', '/api/resources/kept.txt?override=true', { body: 'newer' }),
        ).toBe(200);
        expect(statSync(home('kept.txt')).mode & 0o777).toBe(mode);
      }
    },
    { changes: inside },
  );

  attack(
    'UP-11',
    async ({ status, request }) => {
      expect(await status('alice', 'POST', `/api/resources/deep/${'d/'.repeat(500)}f`, { body: 'x' })).toBe(
        400,
      );
      expect(existsSync(home('deep'))).toBe(false);
      const settings = JSON.parse((await request('admin', 'GET', '/api/settings')).text) as Settings;
      const rules = [{ regex: false, allow: false, path: '/closed/below', regexp: null }];
      expect(await status('admin', 'PUT', '/api/settings', { json: { ...settings, rules } })).toBe(200);
      expect(await status('alice', 'POST', '/api/resources/closed/below/a/f.txt', { body: 'x' })).toBe(403);
      expect(await status('alice', 'POST', '/api/resources/closed/below/', {})).toBe(403);
      expect(existsSync(home('closed'))).toBe(false);
      expect(await status('alice', 'POST', '/api/resources/closed/open/f.txt', { body: 'x' })).toBe(200);
      expect(await status('admin', 'PUT', '/api/settings', { json: { ...settings, rules: [] } })).toBe(200);
    },
    { changes: inside },
  );

  attack(
    'UP-13',
    async ({ status, request, folder }) => {
      const marker = join(folder, 'marker');
      stage().allowed.push('marker');
      const settings = JSON.parse((await request('admin', 'GET', '/api/settings')).text) as Settings;
      const put = (commands: object): Promise<number> =>
        status('admin', 'PUT', '/api/settings', { json: { ...settings, commands } });
      expect(await put({ after_upload: [`sh -c 'echo "$FILE" >> "${marker}"'`] })).toBe(200);
      await breakOff('/api/resources/broken.txt', 'POST', 100_000);
      expect(await status('alice', 'POST', '/api/resources/a.txt', { body: 'x' })).toBe(409);
      expect(await status('creator', 'POST', '/api/resources/a.txt?override=true', { body: 'x' })).toBe(403);
      expect(await status('alice', 'POST', '/api/resources/no/../x', { body: 'x' })).toBe(400);
      expect(await status('alice', 'POST', '/api/resources/whole.txt', { body: 'x' })).toBe(200);
      // A command of an earlier upload would have run before this one.
      expect(readFileSync(marker, 'utf8')).toBe(`${home('whole.txt')}\n`);
      expect(await put({})).toBe(200);
    },
    { changes: inside },
  );

  attack(
    'UP-23',
    async ({ request }) => {
      writeFileSync(home('edited.txt'), 'first');
      const { headers } = await request('alice', 'GET', '/api/resources/edited.txt');
      const tag = headers.etag ?? '';
      expect(tag).not.toBe('');
      expect(
        (
          await request('alice', 'PUT', '/api/resources/edited.txt', {
            body: 'second',
            headers: { 'If-Match': tag },
          })
        ).status,
      ).toBe(200);
      expect(
        (
          await request('alice', 'PUT', '/api/resources/edited.txt', {
            body: 'third',
            headers: { 'If-Match': tag },
          })
        ).status,
      ).toBe(412);
      expect(
        (
          await request('alice', 'PUT', '/api/resources/edited.txt', {
            body: 'third',
            headers: { 'If-Match': '"x"' },
          })
        ).status,
      ).toBe(412);
      expect(readFileSync(home('edited.txt'), 'utf8')).toBe('second');
    },
    { changes: inside },
  );
});

describe('resumable uploads', () => {
  attack(
    'UP-15',
    async ({ request, port, token }) => {
      const address = await begin('alice', '/ten.bin', 10);
      expect((await append('alice', address, 0, 'x'.repeat(11))).status).toBe(413);
      expect((await append('alice', address, 0, Buffer.alloc(3_000_000))).status).toBe(413);
      const lines = [
        ['X-Auth', token('alice')],
        ...Object.entries(part),
        ['Upload-Offset', '0'],
        ['Transfer-Encoding', 'chunked'],
      ] as [string, string][];
      const chunked = bytesOf({
        method: 'PATCH',
        target: address,
        headers: lines,
        body: `14\r\n${'y'.repeat(20)}\r\n0\r\n\r\n`,
      });
      expect(parseResponse(await exchange(port, chunked)).status).toBe(413);
      const parallel = await Promise.all(
        Array.from({ length: 5 }, (_, n) => append('alice', address, 0, String(n).repeat(5))),
      );
      // One is stored; the others arrive while it is being stored (423) or after that (409).
      const outcomes = parallel.map(({ status }) => (status === 423 ? 409 : status));
      expect(outcomes.toSorted()).toEqual([204, 409, 409, 409, 409]);
      const where = await request('alice', 'HEAD', address, { headers: tus });
      expect(Number(where.headers['upload-offset'])).toBe(5);
      expect(existsSync(home('ten.bin'))).toBe(false);
      expect((await request('alice', 'DELETE', address, { headers: tus })).status).toBe(204);
    },
    { changes: inside },
  );

  attack(
    'UP-17',
    async ({ request }) => {
      const address = await begin('alice', '/hers.bin', 10);
      for (const method of ['HEAD', 'PATCH', 'DELETE']) {
        const headers = { ...part, 'Upload-Offset': '0' };
        const response = await request('bob', method, address, {
          headers,
          body: method === 'PATCH' ? 'x' : '',
        });
        expect(response.status, method).toBe(404);
      }
      for (const id of [
        '../x',
        '%2e%2e',
        '__proto__',
        'constructor',
        '%00',
        '..%2f..%2fdata',
        'x'.repeat(200),
      ]) {
        for (const method of ['HEAD', 'PATCH', 'DELETE']) {
          const response = await request('alice', method, `/api/tus/hers.bin?upload=${id}`, {
            headers: { ...part, 'Upload-Offset': '0' },
            body: method === 'PATCH' ? 'x' : '',
          });
          expect(response.status, `${method} ${id.slice(0, 20)}`).toBe(id.length === 200 ? 400 : 404);
        }
      }
      expect((await append('alice', address, 0, '0123456789')).status).toBe(204);
      expect(readFileSync(home('hers.bin'), 'utf8')).toBe('0123456789');
    },
    { changes: inside },
  );

  attack(
    'UP-19',
    async ({ canary }) => {
      const address = await begin('alice', '/b.txt', 10, '?override=true');
      expect((await append('alice', address, 0, 'half')).status).toBe(204);
      expect(readFileSync(home('b.txt'), 'utf8')).toBe(canary('root/users/alice/b.txt'));
      stage().app.clock.advance(11 * 60_000);
      expect((await append('alice', address, 4, 'more')).status).toBe(404);
      expect(readFileSync(home('b.txt'), 'utf8')).toBe(canary('root/users/alice/b.txt'));
      await expect.poll(() => readdirSync(home('')).filter((name) => name.endsWith('.part'))).toEqual([]);
    },
    { changes: inside },
  );

  attack(
    'UP-21',
    async ({ request }) => {
      mkdirSync(home('flood'), { recursive: true });
      const statuses = [];
      for (let n = 0; n < 30; n++) {
        const headers = { ...tus, 'Upload-Length': '60000000' };
        statuses.push((await request('alice', 'POST', `/api/tus/flood/f${n}`, { headers })).status);
      }
      expect(statuses).toEqual([...Array<number>(20).fill(201), ...Array<number>(10).fill(429)]);
      const used = readdirSync(home('flood')).reduce(
        (sum, name) => sum + statSync(home(`flood/${name}`)).blocks * 512,
        0,
      );
      expect(used).toBeLessThan(1024 * 1024);
      stage().app.clock.advance(11 * 60_000);
      await expect.poll(() => readdirSync(home('flood'))).toEqual([]);
    },
    { changes: inside },
  );
});
