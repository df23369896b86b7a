import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { rm, unlink, writeFile } from 'node:fs/promises';
import { type Socket, connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { openPathsBelow } from '../open-paths.ts';
import { cpuTimeOfMs } from '../cpu-time.ts';
import { pixel, prepareStage, waitingTimeMs } from './stage.ts';

const { stage, attack } = prepareStage({ settings: { signup: true } });
const inside = ['root/users/alice'];
const home = (path: string): string => join(stage().folder, 'root/users/alice', path);

beforeAll(() => {
  writeFileSync(home('img.png'), pixel);
  writeFileSync(home('large.txt'), 'x'.repeat(24 * 1024 * 1024));
});

attack('DO-01', async ({ request }) => {
  const body = JSON.stringify({ username: 'x'.repeat(2 * 1024 * 1024), password: 'x' });
  for (const [who, method, target] of [
    ['', 'POST', '/api/login'],
    ['', 'POST', '/api/signup'],
    ['admin', 'POST', '/api/users'],
    ['admin', 'PUT', '/api/users/1'],
    ['admin', 'PUT', '/api/settings'],
    ['alice', 'POST', '/api/share/a.txt'],
  ] as const) {
    const headers = { 'Content-Type': 'application/json' };
    expect((await request(who, method, target, { body, headers })).status, target).toBe(413);
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const inChunks = await request(who, method, target, {
      body: chunked,
      headers: { ...headers, 'Transfer-Encoding': 'chunked' },
    });
    expect(inChunks.status, `${target} in chunks`).toBe(413);
  }
});

attack('DO-03', async ({ request }) => {
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => request('alice', 'GET', '/api/resources/large.txt')),
  );
  for (const { status, text } of responses) {
    expect([status, text.length < 2_000]).toEqual([200, true]);
    expect(JSON.parse(text)).not.toHaveProperty('content');
  }
});

attack('DO-05', async ({ status, app }) => {
  for (const size of [
    '99999',
    '0',
    '-1',
    'thumb%2f..%2fbig',
    '__proto__',
    'constructor',
    'THUMB',
    'thumb%00',
    'original',
  ]) {
    expect(await status('alice', 'GET', `/api/preview/${size}/img.png`), size).toBe(400);
  }
  for (const query of ['?w=9999', '?width=9999&height=9999', '?key=1', '?key=2']) {
    expect(await status('alice', 'GET', `/api/preview/thumb/img.png${query}`)).toBe(200);
  }
  const kept = readdirSync(app.data, { recursive: true }).filter((name) => /cache/.test(String(name)));
  expect(kept.length).toBeLessThan(12);
});

/** The statuses of previews of broken pictures by extension. A file named GIF is sent unchanged. */
const brokenStatuses: Readonly<Record<string, number>> = {
  png: 422,
  jpg: 422,
  gif: 200,
  webp: 422,
  tiff: 422,
  dng: 501,
  cr2: 501,
  nef: 501,
  heic: 422,
  avif: 422,
  bmp: 422,
};

attack(
  'DO-07',
  async ({ status }) => {
    const heads = [
      '89504e470d0a1a0a0000000d494844527fffffff7fffffff0806000000',
      'ffd8ffe000104a46494600010100',
      '474946383961ffffffff',
      '52494646ffffffff57454250',
      '49492a00ffffffff',
      '4d4d002a00000008ffff',
      '0000001c6674797068656963',
      '424dffffffff',
    ];
    mkdirSync(home('broken'), { recursive: true });
    const gifHead = 2;
    for (const [index, head] of heads.entries()) {
      const extensions = Object.keys(brokenStatuses).slice(0, index === 0 ? undefined : 3);
      for (const extension of extensions) {
        const noise = Buffer.alloc(2_000, (index * 37 + 11) % 256);
        writeFileSync(home(`broken/${index}.${extension}`), Buffer.concat([Buffer.from(head, 'hex'), noise]));
        const code = await status('alice', 'GET', `/api/preview/big/broken/${index}.${extension}`);
        // A GIF is sent unchanged under any name of a picture.
        expect(code, `${index}.${extension}`).toBe(index === gifHead ? 200 : brokenStatuses[extension]);
      }
    }
    expect(await status('alice', 'GET', '/api/resources/broken/')).toBe(200);
  },
  { changes: inside },
);

attack(
  'DO-09',
  async ({ app, token }) => {
    for (let folder = 0; folder < 20; folder++) {
      mkdirSync(home(`wide/${folder}`), { recursive: true });
      for (let file = 0; file < 100; file++) writeFileSync(home(`wide/${folder}/f${file}.txt`), '');
    }
    const search = async (target: string, signal?: AbortSignal): Promise<string> => {
      const response = await app.fetch(target, { token: token('alice'), ...(signal && { signal }) });
      const text = await response.text();
      return `${response.status} ${response.status === 200 ? (JSON.parse(text) as unknown[]).length : text}`;
    };
    // Two of a user run and eight wait: ten are the most that are accepted.
    const atOnce = (): Promise<string[]> =>
      Promise.all(Array.from({ length: 10 }, () => search('/api/search/wide?query=f')));
    const complete = Array.from({ length: 10 }, () => '200 2000');
    const patient = atOnce();
    expect(await waitingTimeMs(app, '/api/resources/', token('bob'))).toBeLessThan(1_000);
    expect(await patient).toEqual(complete);

    // These clients leave as soon as the server has their request.
    const leaving = new Map<string, AbortController>();
    app.instance.server.on('request', ({ url = '' }) => leaving.get(url)?.abort());
    const impatient = Array.from({ length: 30 }, (_, index) => {
      const target = `/api/search/wide?query=f${index}`;
      const controller = new AbortController();
      leaving.set(target, controller);
      return expect(search(target, controller.signal)).rejects.toThrow('aborted');
    });
    await Promise.all(impatient);
    expect(await waitingTimeMs(app, '/api/resources/', token('bob'))).toBeLessThan(1_000);
    // Their searches end soon, and then occupy neither a slot nor a place in the queue.
    await expect.poll(atOnce).toEqual(complete);
    await rm(home('wide'), { recursive: true });
  },
  { changes: inside },
);

attack(
  'DO-11',
  async ({ request, status }) => {
    // Made step by step, for a path of this length has no name on the disk.
    const { execFileSync } = await import('node:child_process');
    execFileSync(
      'sh',
      ['-c', 'mkdir deep && cd deep && i=0; while [ $i -lt 600 ]; do mkdir d && cd d; i=$((i+1)); done'],
      { cwd: home('') },
    );
    for (const target of [
      '/api/resources/deep/',
      '/api/search/deep?query=d',
      '/api/recursive/deep',
      '/api/raw/deep?algo=tar',
    ]) {
      const response = await request('bob', 'GET', '/api/resources/');
      expect(response.status).toBe(200);
      expect(await status('alice', 'GET', target, { timeoutMs: 20_000 }), target).toBe(200);
    }
    expect(
      await status('alice', 'PATCH', '/api/resources/deep?action=rename&destination=/deeper', {
        timeoutMs: 20_000,
      }),
    ).toBe(200);
    expect(await status('alice', 'DELETE', '/api/resources/deeper', { timeoutMs: 20_000 })).toBe(200);
    execFileSync('rm', ['-rf', home('deep'), home('deeper')]);
  },
  { changes: inside },
);

attack(
  'DO-13',
  async ({ request }) => {
    mkdirSync(home('names'), { recursive: true });
    writeFileSync(home('names/a.txt'), 'x');
    for (let n = 1; n <= 3_000; n++) writeFileSync(home(`names/a(${n}).txt`), '');
    const timeMs = await cpuTimeOfMs(async () => {
      const copies = await Promise.all(
        Array.from({ length: 20 }, () =>
          request(
            'alice',
            'PATCH',
            '/api/resources/names/a.txt?action=copy&destination=/names/a.txt&rename=true',
            {
              timeoutMs: 50_000,
            },
          ),
        ),
      );
      for (const { status } of copies) expect(status).toBe(200);
    });
    expect(timeMs).toBeLessThan(15_000);
    await rm(home('names'), { recursive: true });
  },
  { changes: inside },
);

attack('DO-15', async ({ request, status }) => {
  expect(
    (await request('alice', 'GET', '/api/resources/', { headers: { 'X-Large': 'x'.repeat(65_536) } })).status,
  ).toBe(431);
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`X-H${n}`, 'v']));
  expect(await status('alice', 'GET', '/api/resources/', { headers: many })).toBe(200);
  expect(await status('alice', 'GET', `/api/resources/${'x'.repeat(65_536)}`)).toBe(431);
  const query = Array.from({ length: 1_000 }, (_, n) => `k${n}=v`).join('&');
  expect(await status('alice', 'GET', `/api/resources/?${query}`)).toBe(200);
});

attack(
  'DO-17',
  async ({ app, folder, port, token, status }) => {
    const auth = `X-Auth: ${token('alice')}\r\nHost: x\r\n`;
    const requests = [
      `POST /api/resources/cut.bin?override=true HTTP/1.1\r\n${auth}Content-Length: 1000000\r\n\r\n${'x'.repeat(3_000)}`,
      `GET /api/raw/large.txt HTTP/1.1\r\n${auth}\r\n`,
      `GET /api/raw/docs/?algo=zip HTTP/1.1\r\n${auth}\r\n`,
      `GET /api/search/?query=a HTTP/1.1\r\n${auth}\r\n`,
      `GET /api/preview/thumb/img.png HTTP/1.1\r\n${auth}\r\n`,
      `GET /api/resources/ HTTP/1.1\r\n${auth}\r\n`,
      `GET /api/jobs/events HTTP/1.1\r\n${auth}\r\n`,
      `POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"username":`,
    ];
    const before = openPathsBelow(folder);
    /** Paths that are open more often than before. Others may close meanwhile, such as a store of the trash. */
    const newlyOpen = (): string[] => {
      const rest = [...before];
      return openPathsBelow(folder).filter((path) => {
        const position = rest.indexOf(path);
        if (position >= 0) rest.splice(position, 1);
        return position < 0;
      });
    };
    const connections = new Set<Socket>();
    app.instance.server.on('connection', (socket) => {
      connections.add(socket);
      socket.once('close', () => connections.delete(socket));
    });
    for (let round = 0; round < 10; round++) {
      await Promise.all(
        requests.flatMap((request) =>
          [1, 2, 3].map(
            (part) =>
              new Promise<void>((resolve) => {
                const socket = connect(port, '127.0.0.1', () => {
                  socket.write(request.slice(0, Math.ceil((request.length * part) / 3)));
                  setTimeout(() => socket.resetAndDestroy(), (round * 7 + part * 3) % 30);
                });
                socket.on('error', () => undefined);
                socket.on('close', () => resolve());
              }),
          ),
        ),
      );
    }
    expect(await status('alice', 'GET', '/api/resources/cut.bin')).toBe(404);
    await expect.poll(() => connections.size).toBe(0);
    await expect.poll(newlyOpen).toEqual([]);
  },
  { changes: inside },
);

attack(
  'DO-19',
  async ({ request }) => {
    mkdirSync(home('churn'), { recursive: true });
    const over = new AbortController();
    const churning = (async () => {
      for (let n = 0; !over.signal.aborted; n++) {
        await writeFile(home(`churn/f${n % 50}`), 'x');
        await unlink(home(`churn/f${(n * 7) % 50}`)).catch(() => undefined);
      }
    })();
    for (let round = 0; round < 15; round++) {
      for (const [method, target] of [
        ['GET', '/api/resources/churn/'],
        ['GET', '/api/search/churn?query=f'],
        ['GET', '/api/recursive/churn'],
        ['GET', '/api/raw/churn/?algo=tar'],
        ['PATCH', `/api/resources/churn?action=copy&destination=/churned${round}`],
      ] as const) {
        expect((await request('alice', method, target)).status, target).toBe(200);
      }
    }
    over.abort();
    await churning;
  },
  { changes: inside },
);

attack('DO-21', async ({ request, status }) => {
  const statuses = [];
  for (let n = 0; n < 10; n++)
    statuses.push(
      await status('', 'POST', '/api/signup', { json: { username: `flood${n}`, password: 'short' } }),
    );
  expect(new Set(statuses)).toEqual(new Set([400]));
  const settings = JSON.parse((await request('admin', 'GET', '/api/settings')).text) as object;
  const rules = Array.from({ length: 1_001 }, (_, n) => ({
    regex: false,
    allow: false,
    path: `/r${n}`,
    regexp: null,
  }));
  expect(await status('admin', 'PUT', '/api/settings', { json: { ...settings, rules } })).toBe(400);
  const items = Array.from({ length: 100_001 }, () => ({ from: '/x' }));
  expect(await status('alice', 'POST', '/api/jobs', { json: { kind: 'delete', items } })).toBe(400);
  const paths = Array.from({ length: 100_001 }, () => '/x');
  expect(await status('alice', 'POST', '/api/archives', { json: { paths } })).toBe(400);
});
