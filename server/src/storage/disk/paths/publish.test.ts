import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeTree } from '../../testing/temporary-disk.ts';
import { closeFolder, type Folder, openFollowing } from './folder.ts';
import { renameExclusively, renameFolderExclusively, renameOverPlaceholder } from './publish.ts';

let root: string;
let folder: Folder;

beforeEach(() => {
  root = fs.mkdtempSync(join(os.tmpdir(), 'filestead-publish-'));
  writeTree(root, { '/a': 'a', '/taken': 't', '/d/inner': 'i', '/full/x': 'x', '/empty/': '' });
  folder = openFollowing('descriptor', root).sync();
});

afterEach(() => {
  closeFolder(folder);
  fs.rmSync(root, { recursive: true });
});

const withoutJournal = <T>(work: () => Promise<T>): Promise<T> => work();
const names = (): string[] => fs.readdirSync(root).toSorted();

describe.each([
  [
    'with hard links',
    (from: Folder, name: string, to: Folder, newName: string) =>
      renameExclusively(from, name, to, newName, withoutJournal),
  ],
  ['without hard links', renameOverPlaceholder],
])('renaming a file exclusively %s', (_, rename) => {
  test('keeps the content', async () => {
    await rename(folder, 'a', folder, 'b');
    expect(fs.readFileSync(join(root, 'b'), 'utf8')).toBe('a');
    expect(names()).toEqual(['b', 'd', 'empty', 'full', 'taken']);
  });

  test.each(['taken', 'empty'])('does not replace the existing entry %s', async (name) => {
    await expect(rename(folder, 'a', folder, name)).rejects.toMatchObject({ code: 'already_exists' });
    expect(fs.readFileSync(join(root, 'a'), 'utf8')).toBe('a');
    expect(fs.readFileSync(join(root, 'taken'), 'utf8')).toBe('t');
  });

  test('leaves nothing behind when the source is missing', async () => {
    await expect(rename(folder, 'nothing', folder, 'b')).rejects.toMatchObject({ code: 'ENOENT' });
    expect(names()).toEqual(['a', 'd', 'empty', 'full', 'taken']);
  });
});

describe('renaming a folder exclusively', () => {
  test('keeps the content', async () => {
    await renameFolderExclusively(folder, 'd', folder, 'e', withoutJournal);
    expect(fs.readFileSync(join(root, 'e/inner'), 'utf8')).toBe('i');
  });

  test.each(['taken', 'empty', 'full'])('does not replace the existing entry %s', async (name) => {
    await expect(renameFolderExclusively(folder, 'd', folder, name, withoutJournal)).rejects.toMatchObject({
      code: 'already_exists',
    });
    expect(names()).toEqual(['a', 'd', 'empty', 'full', 'taken']);
  });

  test('leaves nothing behind when the source is missing', async () => {
    await expect(
      renameFolderExclusively(folder, 'nothing', folder, 'b', withoutJournal),
    ).rejects.toMatchObject({
      code: 'ENOENT',
    });
    expect(names()).toEqual(['a', 'd', 'empty', 'full', 'taken']);
  });
});
