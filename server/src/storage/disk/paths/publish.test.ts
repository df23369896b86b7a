import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { plant } from '../../testing/temporary-disk.ts';
import { closeFolder, type Folder, openFollowing } from './folder.ts';
import { renameExclusively, renameFolderExclusively, renameOverPlaceholder } from './publish.ts';

let root: string;
let folder: Folder;

beforeEach(() => {
  root = fs.mkdtempSync(join(os.tmpdir(), 'filestead-publish-'));
  plant(root, { '/a': 'a', '/taken': 't', '/d/inner': 'i', '/full/x': 'x', '/empty/': '' });
  folder = openFollowing('descriptor', root).sync();
});

afterEach(() => {
  closeFolder(folder);
  fs.rmSync(root, { recursive: true });
});

const alone = <T>(work: () => Promise<T>): Promise<T> => work();
const names = (): string[] => fs.readdirSync(root).toSorted();

describe.each([
  [
    'with hard links',
    (from: Folder, name: string, to: Folder, newName: string) =>
      renameExclusively(from, name, to, newName, alone),
  ],
  ['without hard links', renameOverPlaceholder],
])('a file gets a name that nothing has, %s', (_, rename) => {
  test('and keeps its content', async () => {
    await rename(folder, 'a', folder, 'b');
    expect(fs.readFileSync(join(root, 'b'), 'utf8')).toBe('a');
    expect(names()).toEqual(['b', 'd', 'empty', 'full', 'taken']);
  });

  test.each(['taken', 'empty'])('or none: %s stays', async (name) => {
    await expect(rename(folder, 'a', folder, name)).rejects.toMatchObject({ code: 'already_exists' });
    expect(fs.readFileSync(join(root, 'a'), 'utf8')).toBe('a');
    expect(fs.readFileSync(join(root, 'taken'), 'utf8')).toBe('t');
  });

  test('and nothing is left when it has gone', async () => {
    await expect(rename(folder, 'nothing', folder, 'b')).rejects.toMatchObject({ code: 'ENOENT' });
    expect(names()).toEqual(['a', 'd', 'empty', 'full', 'taken']);
  });
});

describe('a folder gets a name that nothing has', () => {
  test('and keeps its content', async () => {
    await renameFolderExclusively(folder, 'd', folder, 'e', alone);
    expect(fs.readFileSync(join(root, 'e/inner'), 'utf8')).toBe('i');
  });

  test.each(['taken', 'empty', 'full'])('or none: %s stays', async (name) => {
    await expect(renameFolderExclusively(folder, 'd', folder, name, alone)).rejects.toMatchObject({
      code: 'already_exists',
    });
    expect(names()).toEqual(['a', 'd', 'empty', 'full', 'taken']);
  });

  test('and nothing is left when it has gone', async () => {
    await expect(renameFolderExclusively(folder, 'nothing', folder, 'b', alone)).rejects.toMatchObject({
      code: 'ENOENT',
    });
    expect(names()).toEqual(['a', 'd', 'empty', 'full', 'taken']);
  });
});
