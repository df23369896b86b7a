import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { UnfinishedUpload } from '@filestead/contract/uploads';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { rounds } from '../rounds.ts';
import { type TestApp, startApp } from '../start-app.ts';
import { piecesOf, together, uploadInParts, uploadSlowly } from './together.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startApp({ config: { uploadsPerUser: '1000' } });
  token = await app.signIn('admin');
});
afterAll(() => app.close());

const repeats = rounds(15);
/** The complete contents that concurrent requests write. */
const contents = ['a', 'b', 'c', 'd'].map((letter) => Buffer.concat(piecesOf(letter)).toString());
const [contentA = '', contentB = ''] = contents;
const onDisk = (path: string): string => join(app.root, path);
const read = (path: string): string => readFileSync(onDisk(path), 'utf8');
const send = async (method: string, target: string, body?: string): Promise<number> => {
  const response = await app.fetch(target, { method, token, ...(body === undefined ? {} : { body }) });
  await response.arrayBuffer();
  return response.status;
};
const transfer = (action: 'copy' | 'rename', from: string, to: string, more = ''): Promise<number> =>
  send('PATCH', `/api/resources${from}?action=${action}&destination=${encodeURIComponent(to)}${more}`);

afterEach(async () => {
  // No unfinished file remains, except for blocked uploads whose name exists.
  const response = await app.fetch('/api/uploads', { token });
  expect(response.status).toBe(200);
  for (const { id, state } of (await response.json()) as UnfinishedUpload[]) {
    expect(state).toBe('blocked');
    expect((await app.fetch(`/api/uploads/${id}`, { method: 'DELETE', token })).status).toBe(204);
  }
  const names = readdirSync(app.root, { recursive: true, encoding: 'utf8' });
  expect(names.filter((name) => name.includes('.part'))).toEqual([]);
  for (const name of readdirSync(app.root)) {
    if (name !== '.filestead') rmSync(onDisk(name), { recursive: true, force: true });
  }
  for (const line of app.log) expect(line).not.toMatch(/"level":(?:50|60)/);
});

/** An upload in one request. */
const simpleUpload =
  (letter: string, query = ''): (() => Promise<number>) =>
  () =>
    uploadSlowly(app, { token, target: `/api/resources/one.txt${query}`, pieces: piecesOf(letter) });

test('exactly one of several uploads to one name succeeds, and the others are rejected', async () => {
  for (let round = 0; round < repeats; round++) {
    const parts = (): Promise<number> =>
      uploadInParts(app, { token, path: '/one.txt', content: contentB, override: false });
    const statuses = await together([simpleUpload('a'), parts, simpleUpload('c')], 4);
    const winners = statuses.flatMap((status, index) => (status === 200 ? [contents[index]] : []));
    expect(statuses.toSorted(), `round ${round}`).toEqual([200, 409, 409]);
    expect([read('one.txt')]).toEqual(winners);
    rmSync(onDisk('one.txt'));
  }
}, 120_000);

test('replacing uploads never mix their contents', async () => {
  writeFileSync(onDisk('one.txt'), 'old');
  for (let round = 0; round < repeats; round++) {
    const parts = (): Promise<number> =>
      uploadInParts(app, { token, path: '/one.txt', content: contentB, override: true });
    const save = (): Promise<number> =>
      uploadSlowly(app, { method: 'PUT', token, target: '/api/resources/one.txt', pieces: piecesOf('d') });
    const statuses = await together(
      [simpleUpload('a', '?override=true'), parts, simpleUpload('c', '?override=true'), save],
      4,
    );
    expect(statuses, `round ${round}`).toEqual([200, 200, 200, 200]);
    const content = read('one.txt');
    expect(contents.indexOf(content), content.slice(0, 20)).toBeGreaterThanOrEqual(0);
  }
}, 120_000);

test('a reader gets one complete version while the file is replaced', async () => {
  writeFileSync(onDisk('one.txt'), contentA);
  const finished = new AbortController();
  const writer = async (): Promise<void> => {
    for (let round = 0; round < repeats * 2; round++) {
      expect(await send('PUT', '/api/resources/one.txt', contents[round % 4] ?? '')).toBe(200);
    }
    finished.abort();
  };
  const reader = async (): Promise<void> => {
    while (!finished.signal.aborted) {
      const response = await app.fetch('/api/raw/one.txt', { token });
      expect(contents).toContain(await response.text());
    }
  };
  await together([writer, reader, reader]);
});

test('an upload whose folder is renamed or deleted meanwhile is complete or rejected', async () => {
  for (let round = 0; round < repeats; round++) {
    mkdirSync(onDisk('home'));
    writeFileSync(onDisk('home/old.txt'), 'old');
    const { ino } = statSync(onDisk('home'));
    // The changes of the folder in their order: a published file, and the end of the folder itself.
    const seen: (string | null)[] = [];
    const watcher = watch(onDisk('home'), (_event, name) => seen.push(name));
    const moveOrDelete = (): Promise<number> =>
      round % 2 === 0 ? transfer('rename', '/home', '/away') : send('DELETE', '/api/resources/home/');
    const [status, folderStatus] = await together([
      () => uploadSlowly(app, { token, target: '/api/resources/home/new.txt', pieces: piecesOf('a') }),
      async () => {
        await sleep(Math.random() * 20);
        return moveOrDelete();
      },
    ]);
    expect(folderStatus, `round ${round}`).toBe(200);
    const found = ['home/new.txt', 'away/new.txt'].filter((path) => existsSync(onDisk(path)));
    for (const path of found) expect(read(path)).toBe(contentA);
    if (round % 2 === 0) {
      // The upload is published before the folder is renamed, and moves along with it; or it finds no folder then.
      expect(status, `round ${round}`).toBe(found.length === 1 ? 200 : 404);
      expect(['home/old.txt', 'away/old.txt'].filter((path) => existsSync(onDisk(path)))).toHaveLength(1);
    } else if (found.length === 0) {
      // Published before the deletion and deleted with its folder, or without a folder to be published in.
      await expect.poll(() => seen).toContain('home');
      expect(status, `round ${round}`).toBe(seen.includes('new.txt') ? 200 : 404);
    } else {
      // The upload began after the deletion, and created a folder of its own.
      expect([status, found], `round ${round}`).toEqual([200, ['home/new.txt']]);
      expect(statSync(onDisk('home')).ino).not.toBe(ino);
      expect(readdirSync(onDisk('home'))).toEqual(['new.txt']);
    }
    watcher.close();
    for (const folder of ['home', 'away']) rmSync(onDisk(folder), { recursive: true, force: true });
  }
}, 120_000);

test('a download of a file that is deleted and created again meanwhile is complete and of one of the files', async () => {
  const large = Buffer.alloc(4_000_000, 'a');
  const small = 'b'.repeat(100_000);
  const md5Of = (content: string | Buffer): string => createHash('md5').update(content).digest('hex');
  // Each status belongs to what the request found: the first file, the second one, or none.
  const possible = [`200 ${md5Of(large)}`, `200 ${md5Of(small)}`, `404 ${md5Of('404 Not Found\n')}`];
  for (let round = 0; round < repeats; round++) {
    writeFileSync(onDisk('large.bin'), large);
    const [outcome] = await together([
      async () => {
        const response = await app.fetch('/api/raw/large.bin', { token });
        return `${response.status} ${md5Of(Buffer.from(await response.arrayBuffer()))}`;
      },
      async () => {
        await sleep(Math.random() * 4);
        expect(await send('DELETE', '/api/resources/large.bin')).toBe(200);
        expect(await send('POST', '/api/resources/large.bin', small)).toBe(200);
        return '';
      },
    ]);
    expect(possible, `round ${round}`).toContain(outcome);
    rmSync(onDisk('large.bin'), { force: true });
  }
});

test('files that are renamed onto each other never both vanish', async () => {
  for (let round = 0; round < repeats; round++) {
    const more = round % 2 === 0 ? '' : '&override=true';
    writeFileSync(onDisk('a.txt'), 'a');
    writeFileSync(onDisk('b.txt'), 'b');
    const statuses = await together([
      () => transfer('rename', '/a.txt', '/b.txt', more),
      () => transfer('rename', '/b.txt', '/a.txt', more),
    ]);
    expect(statuses, `round ${round}`).toEqual(more === '' ? [409, 409] : [200, 200]);
    const left = ['a.txt', 'b.txt'].filter((name) => existsSync(onDisk(name)));
    expect(left).toHaveLength(more === '' ? 2 : 1);
    expect(['a', 'b']).toContain(read(left[0] ?? ''));
    for (const name of left) rmSync(onDisk(name));
  }
});

test('folders that are moved into each other stay in the tree', async () => {
  for (let round = 0; round < repeats; round++) {
    for (const name of ['x', 'y']) {
      mkdirSync(onDisk(name));
      writeFileSync(onDisk(`${name}/${name}.txt`), name);
    }
    const statuses = await together([
      () => transfer('rename', '/x', '/y/x'),
      () => transfer('rename', '/y', '/x/y'),
    ]);
    // One moves first; then the other’s destination is inside its source. A move that begins afterwards creates its missing parent.
    const isNested = existsSync(onDisk('x/y/x/x.txt')) || existsSync(onDisk('y/x/y/y.txt'));
    expect(statuses.toSorted(), `round ${round}`).toEqual([200, isNested ? 200 : 400]);
    const names = readdirSync(app.root, { recursive: true, encoding: 'utf8' });
    for (const name of ['x', 'y']) {
      expect(
        names.filter((path) => path.endsWith(`${name}.txt`)),
        `round ${round}`,
      ).toHaveLength(1);
      rmSync(onDisk(name), { recursive: true, force: true });
    }
  }
});

test('one of several copies and moves to one path succeeds; with automatic renaming all do', async () => {
  for (let round = 0; round < repeats; round++) {
    for (const letter of ['a', 'b', 'c']) writeFileSync(onDisk(`${letter}.txt`), letter);
    const all = ['a', 'b', 'c'];
    const statuses = await together(
      all.map(
        (letter, index) => () => transfer(index === 0 ? 'rename' : 'copy', `/${letter}.txt`, '/target.txt'),
      ),
    );
    expect(statuses.toSorted(), `round ${round}`).toEqual([200, 409, 409]);
    expect(read('target.txt')).toBe(all[statuses.indexOf(200)]);
    rmSync(onDisk('target.txt'));
    for (const letter of all) writeFileSync(onDisk(`${letter}.txt`), letter);
    const free = await together(
      all.map((letter) => () => transfer('copy', `/${letter}.txt`, '/target.txt', '&rename=true')),
    );
    expect(free).toEqual([200, 200, 200]);
    const made = readdirSync(app.root).filter((name) => name.startsWith('target'));
    expect(made.map(read).toSorted()).toEqual(all);
    for (const name of made) rmSync(onDisk(name));
  }
});

test('a job that is cancelled while it finishes leaves every item complete or unchanged', async () => {
  for (let round = 0; round < repeats; round++) {
    mkdirSync(onDisk('from'));
    for (const name of ['1', '2', '3', '4']) writeFileSync(onDisk(`from/${name}.txt`), contentA);
    const items = ['1', '2', '3', '4'].map((name) => ({ from: `/from/${name}.txt`, to: `/to/${name}.txt` }));
    const kind = round % 2 === 0 ? 'copy' : 'move';
    const created = await app.fetch('/api/jobs', { method: 'POST', token, json: { kind, items } });
    expect(created.status).toBe(202);
    const { id } = (await created.json()) as { id: string };
    await sleep(Math.random() * 25);
    const cancelled = await together(
      Array.from({ length: 3 }, () => () => send('DELETE', `/api/jobs/${id}`)),
    );
    // The first request cancels the job, or removes it when it has ended; the others find it in either state or not at all.
    expect(['200 200 200', '200 200 404', '200 404 404'], `round ${round}`).toContain(
      cancelled.toSorted().join(' '),
    );
    for (let waits = 0; waits < 200; waits++) {
      const jobs = (await (await app.fetch('/api/jobs', { token })).json()) as { state: string }[];
      if (!jobs.some(({ state }) => state === 'queued' || state === 'running')) break;
      await sleep(5);
    }
    for (const name of ['1', '2', '3', '4']) {
      const found = [`from/${name}.txt`, `to/${name}.txt`].filter((path) => existsSync(onDisk(path)));
      for (const path of found) expect(read(path)).toBe(contentA);
      expect(found.length).toBeGreaterThanOrEqual(1);
      if (kind === 'move') expect(found).toHaveLength(1);
    }
    for (const folder of ['from', 'to']) rmSync(onDisk(folder), { recursive: true, force: true });
  }
}, 120_000);
