import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { logFilesOf, openLog } from './open-log.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filestead-log-'));
  file = join(folder, 'filestead.log');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Returns the messages of a log file. */
const messages = async (path: string): Promise<string[]> =>
  (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { msg: string }).msg);

/** Runs the work that the last write has postponed. */
const settle = (): Promise<void> => Promise.resolve();

test('a log file larger than the limit replaces the previous one, and a new one begins', async () => {
  const { log } = openLog({ log: file, logLevel: 'info', maxLogBytes: 200 });
  const long = 'x'.repeat(200);
  for (const message of [`1${long}`, `2${long}`, '3', '4']) {
    log.info(message);
    await settle();
  }
  expect(await messages(`${file}.1`)).toEqual([`2${long}`]);
  expect(await messages(file)).toEqual(['3', '4']);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(`${file}.1`)).mode & 0o777).toBe(0o600);
});

test('bytes of earlier runs and of a reopened file count towards the limit', async () => {
  await writeFile(file, `${JSON.stringify({ msg: 'old'.repeat(100) })}\n`);
  const { log, reopen } = openLog({ log: file, logLevel: 'info', maxLogBytes: 200 });
  log.info('first');
  await settle();
  expect(await messages(`${file}.1`)).toEqual(['old'.repeat(100), 'first']);
  await writeFile(file, `${JSON.stringify({ msg: 'other'.repeat(100) })}\n`);
  reopen();
  log.info('second');
  await settle();
  expect(await messages(`${file}.1`)).toEqual(['other'.repeat(100), 'second']);
});

test('a log file without a limit, or up to it, is continued', async () => {
  for (const maxLogBytes of [0, 100_000]) {
    const { log } = openLog({ log: file, logLevel: 'info', maxLogBytes });
    for (let at = 0; at < 20; at += 1) log.info('a line');
    await settle();
  }
  expect(await messages(file)).toHaveLength(40);
  await expect(stat(`${file}.1`)).rejects.toThrow('ENOENT');
});

test('a file that cannot be renamed is continued, which is logged once each time it reaches the limit', async () => {
  await mkdir(join(`${file}.1`, 'occupied'), { recursive: true });
  const { log } = openLog({ log: file, logLevel: 'info', maxLogBytes: 2000 });
  const long = 'x'.repeat(2000);
  log.info(long);
  await settle();
  log.info('a line');
  await settle();
  expect(await messages(file)).toEqual([
    long,
    'the log file cannot be rotated; logging continues in the same file',
    'a line',
  ]);
});

test('a log consists of two files, unless it is a stream', () => {
  expect(logFilesOf('/var/log/filestead.log')).toEqual([
    '/var/log/filestead.log',
    '/var/log/filestead.log.1',
  ]);
  for (const stream of ['stdout', 'stderr', 'none']) expect(logFilesOf(stream)).toEqual([]);
});

test('lines that a full disk refuses are written later, and their callers do not fail', async () => {
  await symlink('/dev/full', file);
  const { log, reopen } = openLog({ log: file, logLevel: 'info' });
  log.info('first');
  log.info('second');
  await rm(file);
  reopen();
  await expect.poll(() => messages(file)).toEqual(['first', 'second']);
  log.info('third');
  await expect.poll(() => messages(file)).toEqual(['first', 'second', 'third']);
});
