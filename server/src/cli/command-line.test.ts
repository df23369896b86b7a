import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { formerUser, writeFormerDatabase } from '../../test/fixtures/filebrowser-data.ts';
import { type TestCli, openCli } from '../../test/run-cli.ts';
import { programArgs, programNode } from '../../test/run-main.ts';
import { verifyPassword } from '../access/sign-in/passwords.ts';
import { version } from '../version.ts';
import { commands } from './commands.ts';

let folder: string;
let cli: TestCli;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filestead-command-'));
  cli = await openCli();
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await cli.remove();
});

interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the program in its own process. */
function program(args: readonly string[], input = '', env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      programNode,
      [...programArgs, ...args],
      { cwd: folder, env: { PATH: process.env.PATH ?? '', HOME: folder, ...env } },
      (_error, out, err) => resolve({ status: child.exitCode, out, err }),
    );
    child.stdin?.end(input);
  });
}

test('the program runs commands, reports errors in one line, and exits with 0 or 1', async () => {
  expect(await program(['version'])).toEqual({ status: 0, out: `Filestead ${version}\n`, err: '' });
  const none = await program(['users', 'ls']);
  expect(none).toMatchObject({
    status: 1,
    out: '',
    err: expect.stringMatching(/^filestead: [^\n]+\n$/) as unknown,
  });
  expect(await program(['nonsense'])).toEqual({
    status: 1,
    out: '',
    err: 'filestead: there is no command and no folder “nonsense”; see: filestead help\n',
  });
  const elsewhere = ['--data', join(folder, 'data')];
  expect(await program([...elsewhere, 'config', 'init', '--root', folder])).toMatchObject({ status: 0 });
  const added = await program(
    ['users', 'add', 'alice', ...elsewhere, '--perm.admin'],
    'a password for tests\n',
  );
  expect(added).toMatchObject({ status: 0, err: '', out: expect.stringContaining('alice') as unknown });
  const listed = await program(['users', 'ls'], '', { FILESTEAD_DATA: join(folder, 'data') });
  expect(listed.out).toBe(added.out);
  const inFile = join(folder, '.filestead.yaml');
  await writeFile(inFile, `data: ${join(folder, 'data')}\n`);
  expect((await program(['users', 'find', 'alice'])).out).toBe(added.out);
});

test('a database of another program is refused with its path', async () => {
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'data', 'filestead.db'), 'something else');
  const { status, err } = await cli.run(['users', 'ls', '--data', join(folder, 'data')]);
  expect(status).toBe(1);
  expect(err).toMatch(/^filestead: .*filestead\.db is not a database of Filestead/);
});

test('a folder in the place of the database is refused with its probable origin', async () => {
  await mkdir(join(folder, 'data', 'filestead.db'), { recursive: true });
  for (const args of [['users', 'ls'], ['backup'], ['doctor', '--port', '0']]) {
    const { status, out, err } = await cli.run([...args, '--data', join(folder, 'data')]);
    expect([args[0], status]).toEqual([args[0], args[0] === 'doctor' ? 2 : 1]);
    expect(`${out}${err}`).toMatch(
      /filestead\.db is a folder; container programs create one .* mount the folder above it/,
    );
  }
});

test('a database of File Browser is refused with the command that imports it, and stays as it is', async () => {
  const former = join(folder, 'filebrowser.db');
  const content = writeFormerDatabase({ users: [formerUser({})] });
  await writeFile(former, content);
  for (const args of [
    ['users', 'ls'],
    ['doctor', '--port', '0'],
  ]) {
    const env = {
      FB_DATABASE: former,
      FILESTEAD_DISABLE_THUMBNAILS: 'on',
      FILESTEAD_DISABLE_PREVIEW_RESIZE: 'on',
    };
    const { out, err } = await cli.run(args, { env });
    expect(`${out}${err}`).toContain(`filestead import-filebrowser ${former}`);
  }
  expect(await readFile(former)).toEqual(content);
});

test('every command has a help text, and help lists all commands', async () => {
  const help = await cli.succeed('help');
  for (const { path, summary } of commands) {
    expect(help).toContain(path);
    const own = await cli.succeed('help', ...path.split(' '));
    expect(own.replaceAll(/\s+/g, ' ')).toContain(summary);
    expect(await cli.succeed(...path.split(' '), '--help')).toBe(own);
  }
  expect(await cli.succeed('users')).toContain('users import <file>');
  expect((await cli.run(['users', 'list'])).err).toContain('there is no command “users list”');
  expect((await cli.run(['help', 'nothing'])).err).toContain('there is no command “nothing”');
});

test('hash prints a value that the server accepts as --password', async () => {
  const password = 'a password for tests';
  const hashes = [
    await cli.succeed('hash', password),
    (await cli.run(['hash'], { stdin: `${password}\n` })).out,
  ];
  for (const hash of hashes) {
    expect(hash).toMatch(/^\$argon2id\$/);
    expect(await verifyPassword(hash, password)).toBe(true);
  }
  expect((await cli.run(['hash'])).status).toBe(1);
});

/** Returns bash's completions after these words. */
function completions(script: string, ...words: string[]): string[] {
  const list = ['filestead', ...words].map((word) => `'${word}'`).join(' ');
  const { stdout, stderr } = spawnSync(
    'bash',
    [
      '-c',
      `${script}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length}; _filestead; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

const hasBash = spawnSync('bash', ['--version']).status === 0;

test.skipIf(!hasBash)(
  'the completion for bash offers commands and options, also after other options',
  async () => {
    const script = await cli.succeed('completion', 'bash');
    expect(completions(script, 'u')).toEqual(['users']);
    expect(completions(script, 'users', 'u')).toEqual(['update']);
    expect(completions(script, 'users', '')).toContain('import');
    expect(completions(script, 'users', 'add', 'alice', '--perm.ad')).toEqual(['--perm.admin']);
    expect(completions(script, '--data', 'x', 'rules', 'add', '--re')).toEqual(['--regex']);
    expect(completions(script, '--baseU')).toEqual(['--baseURL']);
    expect(completions(script, 'completion', 'p')).toEqual(['powershell']);
  },
);

test('the completions for four shells contain every command', async () => {
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    const script = await cli.succeed('completion', shell);
    for (const word of ['import-filebrowser', 'completion', 'update', 'dryRun'])
      expect(script, shell).toContain(word);
  }
  expect((await cli.run(['completion', 'csh'])).err).toContain('expected one of bash, zsh, fish, powershell');
});
