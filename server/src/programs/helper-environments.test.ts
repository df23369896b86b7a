import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../test/start-app.ts';

/** Variables of the server that no helper program may receive. */
const hostile = {
  DATABASE_URL: 'postgres://user:password@db',
  LD_LIBRARY_PATH: '/nonexistent',
  NODE_OPTIONS: '--title=inherited',
  BASH_ENV: '/nonexistent',
  FILESTEAD_PASSWORD: 'first password',
  PASSED_ON: 'passed on',
};
const allowed = /^(?:PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|PWD|OLDPWD|SHLVL|_)$/;

let folder: string;
let app: TestApp | undefined;
const saved = { ...process.env };
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filestead-helpers-'));
  Object.assign(process.env, hostile, { PATH: `${folder}:${process.env.PATH ?? ''}` });
});
afterEach(async () => {
  for (const name of [...Object.keys(hostile), 'PATH']) {
    if (saved[name] === undefined) delete process.env[name];
    else process.env[name] = saved[name];
  }
  await app?.close();
  app = undefined;
  await rm(folder, { recursive: true, force: true });
});

/** Puts a program on the path that records the names in its environment, then runs `script`. */
async function plant(name: string, script: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\nenv | cut -d= -f1 > '${folder}/${name}.env'\n${script}\n`);
  await chmod(join(folder, name), 0o755);
}
const namesSeenBy = async (name: string): Promise<string[]> =>
  (await readFile(join(folder, `${name}.env`), 'utf8')).split('\n').filter((line) => line !== '');
const unexpectedNames = async (name: string): Promise<string[]> =>
  (await namesSeenBy(name)).filter((seen) => !allowed.test(seen));

test('the program that compresses archives gets a clean environment', async () => {
  await plant('zstd', 'exec cat');
  app = await startApp({ files: { 'docs/a.txt': 'a' } });
  const token = await app.signIn('admin');
  const response = await app.fetch('/api/raw/docs/?algo=tarzst', { token });
  expect(response.status).toBe(200);
  await response.arrayBuffer();
  expect(await unexpectedNames('zstd')).toEqual([]);
});

test('the program that extracts video frames gets a clean environment', async () => {
  for (const name of ['bwrap', 'ffmpeg', 'ffprobe', 'ffmpegthumbnailer']) await plant(name, 'exit 1');
  app = await startApp({ files: { 'film.mp4': '\0\0\0\x18ftypmp42' } });
  const token = await app.signIn('admin');
  await (await app.fetch('/api/preview/thumb/film.mp4', { token })).arrayBuffer();
  const started = await Promise.all(
    ['bwrap', 'ffmpeg', 'ffprobe'].map((name) => unexpectedNames(name).catch(() => null)),
  );
  expect(started.filter((names) => names !== null)).not.toEqual([]);
  expect(started.flatMap((names) => names ?? [])).toEqual([]);
});

test('a sign-in program gets a clean environment, the credentials and the variables that are passed on', async () => {
  await plant('decide', 'echo hook.action=block');
  app = await startApp({
    config: {
      'auth.method': 'hook',
      'auth.command': `${folder}/decide`,
      programVariables: 'PASSED_ON,NOT_SET',
    },
  });
  const json = { username: 'alice', password: 'x' };
  expect((await app.fetch('/api/login', { method: 'POST', json })).status).toBe(403);
  expect((await unexpectedNames('decide')).sort()).toEqual(['PASSED_ON', 'PASSWORD', 'USERNAME']);
});

test('a hook gets a clean environment, its variables and those that are passed on', async () => {
  await plant('notify', 'exit 0');
  app = await startApp({
    config: { enableExec: 'on', programVariables: 'PASSED_ON' },
    settings: { commands: { after_upload: [`${folder}/notify`] } },
  });
  const token = await app.signIn('admin');
  const response = await app.fetch('/api/resources/new.txt', { method: 'POST', token, body: 'x' });
  expect(response.status).toBe(200);
  expect((await unexpectedNames('notify')).sort()).toEqual(
    ['DESTINATION', 'FILE', 'PASSED_ON', 'SCOPE', 'TRIGGER', 'USERNAME'].sort(),
  );
});

test('variables of Filestead itself cannot be passed on to programs', async () => {
  await expect(startApp({ config: { programVariables: 'FILESTEAD_PASSWORD' } })).rejects.toThrow(
    'programVariables: “FILESTEAD_PASSWORD” is not a variable that programs may get',
  );
});
