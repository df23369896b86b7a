import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestCli, openCli } from '../../../test/run-cli.ts';

let cli: TestCli;
beforeEach(async () => {
  cli = await openCli();
  await cli.succeed('config', 'init');
  await cli.succeed('users', 'add', 'alice', 'a password for tests');
});
afterEach(() => cli.remove());

const errorOf = async (...args: string[]): Promise<string> => {
  const { status, out, err } = await cli.run(args);
  expect({ status, out }).toEqual({ status: 1, out: '' });
  expect(err).toMatch(/^filestead: .+$/);
  return err;
};

test('rules are appended, listed with their numbers, and removed by number', async () => {
  await cli.succeed('rules', 'add', 'secret//plans/');
  await cli.succeed('rules', 'add', '/secret/open', '--allow');
  await cli.succeed('rules', 'add', '-r', '[.]key$');
  expect(await cli.succeed('rules', 'ls')).toBe(
    [
      '  0  deny   path   /secret/plans',
      '  1  allow  path   /secret/open',
      '  2  deny   regex  [.]key$',
    ].join('\n'),
  );
  const { settings } = await cli.inspect(async (database) => ({ settings: await database.settings.read() }));
  expect(settings?.rules).toEqual([
    { regex: false, allow: false, path: '/secret/plans', regexp: null },
    { regex: false, allow: true, path: '/secret/open', regexp: null },
    { regex: true, allow: false, path: '', regexp: { raw: '[.]key$' } },
  ]);
  expect(await cli.succeed('rules', 'rm', '0', '1')).toBe('  0  deny   regex  [.]key$');
  expect(await cli.succeed('rules', 'rm', '0', '--index', '0')).toBe('There are no rules.');
});

test('rules of a user apply to that user only, given by name or id', async () => {
  await cli.succeed('rules', 'add', '/global');
  await cli.succeed('rules', 'add', '/own', '-u', 'ALICE');
  expect(await cli.succeed('rules', 'ls', '-i', '1')).toBe('  0  deny   path   /own');
  expect(await cli.succeed('rules', 'ls')).toBe('  0  deny   path   /global');
  expect(await cli.succeed('rules', 'rm', '0', '--username=alice')).toBe('There are no rules.');
  expect(await cli.succeed('rules', 'ls')).toBe('  0  deny   path   /global');
});

test('invalid rules, missing indexes and missing users are refused', async () => {
  await cli.succeed('rules', 'add', '/kept');
  expect(await errorOf('rules', 'add', '-r', '(a+')).toContain('cannot be used');
  expect(await errorOf('rules', 'add', '-r', '(?=x)')).toContain('cannot be used');
  expect(await errorOf('rules', 'add', '/a/../b')).toContain('parent segment');
  expect(await errorOf('rules', 'add', ' ')).toContain('the rule is empty');
  expect(await errorOf('rules', 'add', '-r', '')).toContain('the rule is empty');
  expect(await errorOf('rules', 'rm', '1')).toContain('an index from 0 to 0');
  expect(await errorOf('rules', 'rm', '0', '5')).toContain('an index from 0 to 0');
  expect(await errorOf('rules', 'rm', '1e0')).toContain('an index');
  expect(await errorOf('rules', 'ls', '-u', 'bob')).toContain('no user “bob”');
  expect(await errorOf('rules', 'ls', '-i', 'bob')).toContain('--id: expected a number');
  expect(await errorOf('rules', 'ls', '-i', '1', '-u', 'alice')).toContain('cannot be combined');
  expect(await cli.succeed('rules', 'ls')).toBe('  0  deny   path   /kept');
});

test('commands are added to events, listed and removed', async () => {
  await cli.succeed('cmds', 'add', 'before_upload', 'echo', 'one');
  await cli.succeed('cmds', 'add', 'before_upload', 'echo "$FILE" > /dev/null &');
  await cli.succeed('cmds', 'add', 'after_delete', '--', 'ls', '-l');
  expect(await cli.succeed('cmds', 'ls', '-e', 'before_upload')).toBe(
    ['before_upload:', '  0  echo one', '  1  echo "$FILE" > /dev/null &'].join('\n'),
  );
  expect(await cli.succeed('cmds', 'ls')).toContain('after_delete:\n  0  ls -l');
  expect(await cli.succeed('cmds', 'rm', 'before_upload', '0', '--index=0')).toContain('0  echo "$FILE"');
  expect(await cli.succeed('cmds', 'rm', 'before_upload', '0')).toBe('before_upload:');
  expect(await errorOf('cmds', 'add', 'upload', 'echo')).toContain('“upload” is not an event');
  expect(await errorOf('cmds', 'add', 'before_copy', ' ')).toContain('the command is empty');
  expect(await errorOf('cmds', 'add', 'before_copy', 'ls', '-l')).toContain("unknown option '-l'");
  expect(await errorOf('cmds', 'rm', 'before_copy', '0')).toContain('has no commands');
  expect(await errorOf('cmds', 'ls', '-e', 'nothing')).toContain('is not an event');
});
