import fs from 'node:fs';
import { nameOfBytes } from '@filestead/contract/paths/raw-names';
import { encodePath } from '@filestead/contract/paths/virtual-path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { unpackRaw } from '../../test/fixtures/archive-reading.ts';
import { type TestApp, startApp } from '../../test/start-app.ts';

/** Names that are not UTF-8, through every part of the API. Disk names are written with one character for each byte. */

const coffee = 'caf\xe9.txt';
const folder = 'f\xfcr';
const none = '\xff\xfe';
const surrogate = '\xed\xa0\x80';
const overlong = 'a\xc0\xafb';

const bytes = (disk: string): Buffer => Buffer.from(disk, 'latin1');
/** The name as the API spells it. */
const spelled = (disk: string): string => nameOfBytes(bytes(disk));
/** The path percent-encoded for a URL, as clients send it. */
const url = (disk: string): string => encodePath(spelled(disk));
const escaped = (...values: number[]): string =>
  String.fromCodePoint(...values.map((byte) => 0x10fe00 + byte));

let app: TestApp;
let token: string;
const diskPath = (disk: string): Buffer => Buffer.concat([Buffer.from(app.root), bytes(`/alice${disk}`)]);
const content = (disk: string): string | null =>
  fs.existsSync(diskPath(disk)) ? fs.readFileSync(diskPath(disk), 'utf8') : null;
const names = (disk: string): string[] =>
  fs.readdirSync(diskPath(disk), { encoding: 'buffer' }).map((name) => name.toString('latin1'));
const plant = (disk: string): void => {
  fs.mkdirSync(diskPath(disk.slice(0, disk.lastIndexOf('/'))), { recursive: true });
  fs.writeFileSync(diskPath(disk), disk, 'latin1');
};

beforeAll(async () => {
  app = await startApp({
    users: [
      { username: 'alice', scope: '/alice' },
      { username: 'ruled', scope: '/alice', rules: [{ path: `/${spelled(folder)}` }] },
      { username: 'patterned', scope: '/alice', rules: [{ regex: true, regexp: { raw: '^/.*\\.txt$' } }] },
    ],
  });
  token = await app.signIn('alice');
});
afterAll(() => app.close());

beforeEach(() => {
  for (const name of names('/')) fs.rmSync(diskPath(`/${name}`), { recursive: true });
  plant(`/${coffee}`);
  plant(`/${none}`);
  plant(`/${surrogate}`);
  plant(`/${overlong}`);
  plant(`/${folder}/${coffee}`);
  plant('/plain.txt');
});

interface Sent {
  readonly as?: string;
  readonly body?: string;
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
}
const call = (method: string, path: string, { as = token, ...sent }: Sent = {}): Promise<Response> =>
  app.fetch(path, { method, token: as, ...sent });
const get = (path: string, sent?: Sent): Promise<Response> => call('GET', path, sent);
const patch = (from: string, action: 'copy' | 'rename', to: string): Promise<Response> =>
  call('PATCH', `/api/resources${url(from)}?action=${action}&destination=${encodeURIComponent(url(to))}`);
const statusOf = async (response: Promise<Response>): Promise<number> => (await response).status;

describe('names that are not UTF-8', () => {
  const all = [folder, coffee, none, surrogate, overlong, 'plain.txt'].map(spelled).toSorted();

  test('are listed as JSON and as rows', async () => {
    const whole = (await (await get('/api/resources/')).json()) as {
      items: { name: string; path: string }[];
    };
    expect(whole.items.map(({ name }) => name).toSorted()).toEqual(all);
    const rows = (
      await (await get('/api/resources/', { headers: { accept: 'application/x-ndjson' } })).text()
    )
      .trim()
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line) as [string]);
    expect(rows.map(([name]) => name).toSorted()).toEqual(all);
  });

  test.each([coffee, none, surrogate, overlong])('lead to the file: %j', async (disk) => {
    const response = await get(`/api/resources${url(`/${disk}`)}?checksum=md5`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ name: spelled(disk), path: spelled(`/${disk}`) });
    const raw = await get(`/api/raw${url(`/${disk}`)}`);
    expect(raw.status).toBe(200);
    expect(Buffer.from(await raw.arrayBuffer()).toString('latin1')).toBe(`/${disk}`);
  });

  test('are replaced by underscores in the name of a download', async () => {
    const response = await get(`/api/raw${url(`/${coffee}`)}`);
    expect(response.headers.get('content-disposition')).toContain(`filename*=utf-8''caf_.txt`);
  });

  test('are found by searches and recursive listings', async () => {
    const found = (await (await get('/api/search/?query=caf')).json()) as { path: string }[];
    expect(found.map(({ path }) => path)).toEqual([coffee, `${folder}/${coffee}`].map(spelled));
    const exact = encodeURIComponent(spelled('\xe9'));
    const streamed = await get(`/api/search/${url(folder)}?query=${exact}`, {
      headers: { accept: 'application/x-ndjson' },
    });
    expect(JSON.parse((await streamed.text()).trim())).toMatchObject({ path: spelled(coffee) });
    const below = await (await get('/api/recursive/')).text();
    for (const disk of [coffee, none, surrogate, overlong, `${folder}/${coffee}`])
      expect(below).toContain(spelled(disk));
  });

  test('can be corrected by renaming', async () => {
    const response = await patch(`/${coffee}`, 'rename', '/repaired.txt');
    expect(response.status).toBe(200);
    expect(content('/repaired.txt')).toBe(Buffer.from(`/${coffee}`, 'latin1').toString());
    expect((await patch(`/${folder}`, 'rename', '/repaired')).status).toBe(200);
    expect(names('/repaired')).toEqual([coffee]);
    expect(names('/')).not.toContain(coffee);
  });

  test('are kept by moves and copies, and copies get numbers', async () => {
    const moved = await patch(`/${coffee}`, 'rename', `/sub${folder}/${coffee}`);
    expect(moved.status).toBe(200);
    expect(moved.headers.get('x-final-path')).toBe(url(`/sub${folder}/${coffee}`));
    expect(names(`/sub${folder}`)).toEqual([coffee]);
    expect((await patch(`/${folder}`, 'copy', `/copy${none}`)).status).toBe(200);
    expect(names(`/copy${none}`)).toEqual([coffee]);
    const target = `/api/resources${url(`/${folder}/${coffee}`)}`;
    const to = encodeURIComponent(url(`/${folder}/${coffee}`));
    expect(await statusOf(call('PATCH', `${target}?action=copy&destination=${to}&rename=true`))).toBe(200);
    expect(names(`/${folder}`).toSorted()).toEqual(['caf\xe9(1).txt', coffee]);
  });

  test('are written, uploaded and deleted', async () => {
    expect(await statusOf(call('PUT', `/api/resources${url(`/${coffee}`)}`, { body: 'saved' }))).toBe(200);
    expect(content(`/${coffee}`)).toBe('saved');
    const fresh = `/${folder}/n\xe8w`;
    expect(await statusOf(call('POST', `/api/resources${url(fresh)}`, { body: 'new' }))).toBe(200);
    expect(content(fresh)).toBe('new');
    expect(await statusOf(call('POST', `/api/resources${url(fresh)}`, { body: 'again' }))).toBe(409);
    const upload = `/api/tus${url(`/${folder}/t\xfcs`)}`;
    const created = await call('POST', upload, { headers: { 'upload-length': '3' } });
    expect(created.status).toBe(201);
    const part = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
    const location = created.headers.get('location') ?? '';
    expect(location).toContain(url(`/${folder}/t\xfcs`));
    expect(await statusOf(call('PATCH', upload, { headers: part, body: 'abc' }))).toBe(204);
    expect(content(`/${folder}/t\xfcs`)).toBe('abc');
    for (const disk of [`/${coffee}`, `/${folder}`, `/${none}`])
      expect(await statusOf(call('DELETE', `/api/resources${url(disk)}`))).toBe(200);
    expect(names('/').toSorted()).toEqual([overlong, 'plain.txt', surrogate].toSorted());
  });

  test.each(['zip', 'tar'] as const)('keep their bytes in a %s', async (format) => {
    const whole = await get(`/api/raw/?algo=${format}`);
    expect(whole.status).toBe(200);
    const inside = unpackRaw(Buffer.from(await whole.arrayBuffer()), format);
    expect([...inside.keys()].toSorted()).toEqual(
      // Info-ZIP drops the byte FF when it unpacks.
      [
        folder,
        `${folder}/${coffee}`,
        coffee,
        format === 'zip' ? '\xfe' : none,
        surrogate,
        overlong,
        'plain.txt',
      ].toSorted(),
    );
    const files = encodeURIComponent(url(coffee));
    const chosen = await get(`/api/raw/?files=${files},plain.txt&algo=${format}`);
    expect([...unpackRaw(Buffer.from(await chosen.arrayBuffer()), format).keys()].toSorted()).toEqual([
      coffee,
      'plain.txt',
    ]);
    const ticket = await call('POST', '/api/archives', {
      json: { paths: [spelled(`/${coffee}`), spelled(`/${folder}`)], format },
    });
    expect(ticket.status).toBe(200);
    const named = (await ticket.json()) as { ticket: string };
    const archive = await get(`/api/archives/${named.ticket}`);
    expect([...unpackRaw(Buffer.from(await archive.arrayBuffer()), format).keys()].toSorted()).toEqual(
      [coffee, folder, `${folder}/${coffee}`].toSorted(),
    );
  });

  test('can be shared, and visitors can open entries below them', async () => {
    const shared = await call('POST', `/api/share${url(`/${folder}`)}`, { json: {} });
    expect(shared.status).toBe(200);
    const { hash, path } = (await shared.json()) as { hash: string; path: string };
    expect(path).toBe(spelled(`/${folder}/`));
    const list = (await (await app.fetch(`/api/public/share/${hash}`)).json()) as {
      items: { name: string }[];
    };
    expect(list.items.map(({ name }) => name)).toEqual([spelled(coffee)]);
    const file = await app.fetch(`/api/public/dl/${hash}/${url(coffee)}`);
    expect(file.status).toBe(200);
    expect(Buffer.from(await file.arrayBuffer()).toString('latin1')).toBe(`/${folder}/${coffee}`);
    expect((await patch(`/${folder}`, 'rename', '/repaired')).status).toBe(200);
    expect(await statusOf(app.fetch(`/api/public/dl/${hash}/${url(coffee)}`))).toBe(200);
  });

  test('are moved, copied and deleted by jobs', async () => {
    const run = async (request: unknown): Promise<string> => {
      const response = await call('POST', '/api/jobs', { json: request });
      expect(response.status).toBe(202);
      const { id } = (await response.json()) as { id: string };
      for (;;) {
        const job = (await (await get(`/api/jobs/${id}`)).json()) as {
          endedAt: number | null;
          state: string;
        };
        if (job.endedAt !== null) return job.state;
      }
    };
    const from = spelled(`/${folder}`);
    expect(await run({ kind: 'copy', items: [{ from, to: spelled(`/copy${none}`) }] })).toBe('done');
    expect(await run({ kind: 'move', items: [{ from, to: '/repaired' }] })).toBe('done');
    expect(names(`/copy${none}`)).toEqual([coffee]);
    expect(names('/repaired')).toEqual([coffee]);
    expect(await run({ kind: 'delete', items: [{ from: spelled(`/copy${none}`) }] })).toBe('done');
    expect(names('/')).not.toContain(`copy${none}`);
  });
});

describe('access to names that are not UTF-8', () => {
  test('is denied by rules with paths and with patterns, in every spelling', async () => {
    const ruled = await app.signIn('ruled');
    for (const path of [`/${folder}`, `/${folder}/`, `/${folder}/${coffee}`]) {
      expect(await statusOf(get(`/api/resources${url(path)}`, { as: ruled }))).toBe(403);
      expect(await statusOf(get(`/api/raw${url(path)}`, { as: ruled }))).toBe(403);
    }
    const list = await (await get('/api/resources/', { as: ruled })).text();
    expect(list).not.toContain(spelled(folder));
    expect(list).toContain(spelled(coffee));
    const search = await (await get('/api/search/?query=caf', { as: ruled })).text();
    expect(search).not.toContain(spelled(folder));
    const archive = await get('/api/raw/?algo=tar', { as: ruled });
    expect([...unpackRaw(Buffer.from(await archive.arrayBuffer()), 'tar').keys()]).not.toContain(folder);
    expect(await statusOf(call('DELETE', `/api/resources${url(`/${folder}`)}`, { as: ruled }))).toBe(403);
    const patterned = await app.signIn('patterned');
    expect(await statusOf(get(`/api/raw${url(`/${coffee}`)}`, { as: patterned }))).toBe(403);
    expect(await statusOf(get(`/api/raw${url(`/${none}`)}`, { as: patterned }))).toBe(200);
  });

  test('has one spelling; others are refused with 400 by every endpoint and change nothing', async () => {
    plant('/caf\xc3\xa9'); // "café" in UTF-8
    const second = `/caf${escaped(0xc3, 0xa9)}`;
    const there = encodePath(second);
    const before = names('/');
    for (const [method, path] of [
      ['GET', `/api/resources${there}`],
      ['GET', `/api/raw${there}`],
      ['GET', `/api/search${there}?query=a`],
      ['GET', `/api/raw/?files=${encodeURIComponent(there.slice(1))}`],
      ['PUT', `/api/resources${there}`],
      ['POST', `/api/resources${there}`],
      ['DELETE', `/api/resources${there}`],
      ['POST', `/api/tus${there}`],
      ['PATCH', `/api/resources${there}?action=rename&destination=%2Fx`],
      ['PATCH', `/api/resources/plain.txt?action=rename&destination=${encodeURIComponent(there)}`],
      ['PATCH', `/api/resources/plain.txt?action=copy&destination=${encodeURIComponent(there)}`],
    ] as const) {
      const headers = path.startsWith('/api/tus') ? { 'upload-length': '1' } : {};
      expect([method, path, await statusOf(call(method, path, { headers }))]).toEqual([method, path, 400]);
    }
    for (const [path, json] of [
      ['/api/archives', { paths: [second], format: 'zip' }],
      ['/api/jobs', { kind: 'delete', items: [{ from: second }] }],
      ['/api/jobs', { kind: 'move', items: [{ from: '/plain.txt', to: second }] }],
      [`/api/share${there}`, {}],
    ] as const)
      expect([path, await statusOf(call('POST', path, { json }))]).toEqual([path, 400]);
    expect(names('/')).toEqual(before);
  });

  test('is not possible with raw bytes in a URL', async () => {
    for (const target of ['/caf%E9.txt', '/%C0%AE%C0%AE/x', '/a%C0%AFb', '/%ED%A0%80', '/%FF%FE'])
      expect(await statusOf(get(`/api/resources${target}`))).toBe(400);
  });

  test('does not decode escapes of ASCII, dots and separators', async () => {
    for (const text of [0x2e, 0x2f, 0x00, 0x5c].map((byte) => String.fromCodePoint(0x10fe00 + byte)))
      expect(await statusOf(get(`/api/resources/${encodeURIComponent(text + text)}`))).toBe(404);
    const overlongDots = `/${escaped(0xc0, 0xae)}${escaped(0xc0, 0xae)}/x`;
    expect(await statusOf(get(`/api/resources${encodePath(overlongDots)}`))).toBe(404);
  });
});
