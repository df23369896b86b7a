import { expect, test } from 'vitest';
import { commands } from './commands.ts';
import { commandPaths, findCommand } from './find-command.ts';

test.each([
  [[]],
  [['--port', '9000']],
  [['-p', '9000', '--root', 'users', '-c', 'help']],
  [['--help']],
  [['--unknown', 'users', 'x']],
  [['--enableExec', '--baseURL=/users']],
  [['--noauth', 'on']],
  [['/srv/files']],
  [['./users', '--port', '9000']],
  [['user', 'ls']],
])('the arguments %j start the server', (args) => {
  expect(findCommand(args)).toBeUndefined();
});

test.each([
  [['users', 'ls'], 'users ls', []],
  [['-d', 'x.db', 'users', 'ls'], 'users ls', ['-d', 'x.db']],
  [['--data', 'users', 'users', 'rm', 'ls'], 'users rm', ['--data', 'users', 'ls']],
  [['--database=x.db', 'hash', 'users'], 'hash', ['--database=x.db', 'users']],
  [['rules', 'add', '-a', '-r', '^/x'], 'rules add', ['-a', '-r', '^/x']],
  [['help', 'users', 'add'], 'help', ['users', 'add']],
  [['--noauth', 'on', 'users', 'ls'], 'users ls', ['--noauth', 'on']],
  [['version'], 'version', []],
])('the arguments %j run the command “%s”', (args, path, rest) => {
  expect(findCommand(args)).toMatchObject({ path, rest });
});

test.each([[['users']], [['users', 'list']]])('the arguments %j are not a command', (args) => {
  expect(findCommand(args)?.path).toBeNull();
});

test('every path has a command, and every command a path', () => {
  expect(commands.map(({ path }) => path)).toEqual(commandPaths);
});

test('no command has options that differ only in case, dashes or dots, or share a letter', () => {
  for (const { path, options } of commands) {
    const names = options.map(({ name }) => name.replaceAll(/[-_.]/g, '').toLowerCase());
    expect(new Set(names).size, path).toBe(names.length);
    const letters = options.flatMap(({ short }) => short ?? []);
    expect(new Set(letters).size, path).toBe(letters.length);
  }
});
