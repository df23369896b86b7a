import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { craftTar } from '../../test/fixtures/crafted-archives.ts';
import { type JobsClient, jobsClient } from '../../test/fixtures/jobs-client.ts';
import { type TestApp, startApp } from '../../test/start-app.ts';

/** Enough that an extraction is still running when its first entries are reported. */
const fileCount = 600;
const contentOf = (index: number): string => `content of ${index}`;
let folder: string;
let root: string;
let app: TestApp;
let token: string;

async function start(): Promise<void> {
  app = await startApp({ config: { jobsPerUser: '1', root, data: join(folder, 'data') } });
}
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'filestead-archives-')));
  root = join(folder, 'root');
  mkdirSync(root);
  const members = Array.from({ length: fileCount }, (_, index) => ({
    name: `part ${index % 7}/${index}.txt`,
    content: contentOf(index),
  }));
  writeFileSync(join(root, 'many.tar'), craftTar(members));
  await start();
  token = await app.signIn('admin');
});
afterEach(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Called at each use, because the server is restarted. */
const jobs = (): JobsClient => jobsClient(app, token);
const extraction = { kind: 'extract', items: [{ from: '/many.tar', to: '/many', rename: true }] };

test('an extraction continues in its folder after a restart', async () => {
  const { id } = await jobs().create(extraction);
  const before = await jobs().until(id, ({ entries }) => entries.done > 20);
  expect(before.endedAt).toBeNull();
  await app.close();
  const present = readdirSync(join(root, 'many'), { recursive: true }).length;
  expect(present).toBeGreaterThan(0);
  await start();
  const after = await jobs().ended(id);
  expect(after).toMatchObject({ state: 'done', failures: [], attempt: 2 });
  expect(readdirSync(root).sort()).toEqual(['many', 'many.tar']);
  for (let index = 0; index < fileCount; index++)
    expect(readFileSync(join(root, 'many', `part ${index % 7}`, `${index}.txt`), 'utf8')).toBe(
      contentOf(index),
    );
});

test('a cancelled extraction leaves only the files that other users have added', async () => {
  const { id } = await jobs().create(extraction);
  await jobs().until(id, ({ entries }) => entries.done > 20);
  writeFileSync(join(root, 'many', 'added.txt'), 'added');
  await app.fetch(`/api/jobs/${id}`, { method: 'DELETE', token });
  const { state } = await jobs().ended(id);
  expect(state).toBe('cancelled');
  expect(readdirSync(join(root, 'many'))).toEqual(['added.txt']);
});

test('a cancelled compression leaves no archive', async () => {
  mkdirSync(join(root, 'many'));
  for (let index = 0; index < fileCount; index++)
    writeFileSync(join(root, 'many', `${index}.txt`), contentOf(index));
  const { id } = await jobs().create({ kind: 'compress', items: [{ from: '/many' }], to: '/many.zip' });
  await app.fetch(`/api/jobs/${id}`, { method: 'DELETE', token });
  const { state } = await jobs().ended(id);
  expect(state).toBe('cancelled');
  expect(readdirSync(root).sort()).toEqual(['many', 'many.tar']);
});

test('a compression starts again after a restart', async () => {
  const { id } = await jobs().create({ kind: 'compress', items: [{ from: '/many.tar' }], to: '/many.zip' });
  await app.close();
  await start();
  expect(await jobs().ended(id)).toMatchObject({ state: 'done', failures: [] });
  expect(readdirSync(root).sort()).toEqual(['many.tar', 'many.zip']);
});
