import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestCli, openCli } from '../../../test/run-cli.ts';
import { storedOf } from '../../access/keeping/kept-entry.ts';
import { openDiskStorage } from '../../storage/disk/open-disk-storage.ts';
import type { KeptEntry } from '../../storage/kept/kept-entries.ts';

let cli: TestCli;
beforeEach(async () => {
  cli = await openCli();
  await cli.succeed('config', 'init');
  await cli.succeed('users', 'add', 'alice', 'a password for tests');
  writeFileSync(at('plan.txt'), 'one');
});
afterEach(() => cli.remove());

const at = (path: string): string => join(cli.folder, path);
const textAt = (path: string): string => readFileSync(at(path), 'utf8');

/** Replaces the content of a file as the server does. Returns the id of the former state. */
async function save(path: string, text: string): Promise<string> {
  const userId = await cli.inspect(async ({ users }) => (await users.findByName('alice'))?.id ?? 0);
  const storage = await openDiskStorage({ root: cli.folder, storeRegistry: at('.filestead/stores.json') });
  const kept: KeptEntry[] = [];
  async function* content() {
    yield Buffer.from(text);
  }
  await storage.write(virtualPath(path), content(), {
    mode: 'replace',
    keep: { operation: 'o', act: 'save', userId, session: null, time: Date.now() },
    onKept: (entries) => kept.push(...entries),
  });
  await storage.close();
  await cli.inspect(({ trash }) => trash.add(kept.map(storedOf), (name) => name));
  return kept[0]?.id ?? '';
}
const errorOf = async (...args: string[]): Promise<string> => {
  const { status, err } = await cli.run(args);
  expect(status).toBe(1);
  return err;
};

test('the versions of a file are listed and are not in the trash', async () => {
  const one = await save('/plan.txt', 'two');
  const two = await save('/plan.txt', 'three');
  const list = await cli.succeed('versions', 'list', '/plan.txt');
  expect(list.split('\n')).toHaveLength(3);
  expect(list).toMatch(new RegExp(`^${two}  \\S+  alice  save   3$`, 'm'));
  expect(list.indexOf(two)).toBeLessThan(list.indexOf(one));
  expect(await cli.succeed('trash', 'list')).not.toContain(one);
  expect((await cli.succeed('versions', 'list', '/other.txt')).split('\n')).toHaveLength(1);
  expect(await errorOf('versions', 'list', 'plan.txt')).toContain('slash');
});

test('a restored version replaces the current state, which becomes a version', async () => {
  const one = await save('/plan.txt', 'two');
  expect(await cli.succeed('versions', 'restore', one)).toBe(`${one}  /plan.txt`);
  expect(textAt('plan.txt')).toBe('one');
  const list = await cli.succeed('versions', 'list', '/plan.txt');
  expect(list).not.toContain(one);
  expect(list).toMatch(/ restore  3$/m);
  expect(await errorOf('versions', 'restore', one)).toContain('there is no version');
});

test('a version is restored to another path, unless that exists', async () => {
  const one = await save('/plan.txt', 'two');
  expect(await errorOf('versions', 'restore', one, '--to', '/plan.txt')).toContain('exists already');
  expect(await cli.succeed('versions', 'restore', one, '--to', '/former/plan.txt')).toBe(
    `${one}  /former/plan.txt`,
  );
  expect([textAt('plan.txt'), textAt('former/plan.txt')]).toEqual(['two', 'one']);
});
