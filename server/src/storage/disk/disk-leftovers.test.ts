import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { breaksAfter, namesIn, path } from '../testing/storage-testing.ts';
import { openDiskStorage } from './open-disk-storage.ts';
import { writeTree, temporaryDisks } from '../testing/temporary-disk.ts';
import { Mounts } from '../../../test/fixtures/mounts.ts';

const disks = temporaryDisks();

describe('unfinished files', () => {
  const leftover = (digit: string): string => `.filestead-${digit.repeat(32)}.part`;

  test('are removed at startup after a crash if they are in the journal', async () => {
    const { storage: first, root, outside } = await disks.open({ files: { '/d/a.txt': 'a', '/a.txt': 'a' } });
    await first.close();
    writeTree(root, {
      [`/d/${leftover('1')}`]: 'ours',
      [`/${leftover('2')}/deep/x`]: 'ours',
      [`/d/${leftover('3')}`]: 'finished',
      [`/d/${leftover('4')}`]: 'of another program',
      [`/d/${leftover('7')}`]: 'ours',
    });
    writeTree(outside, { [`/${leftover('5')}`]: 'outside' });
    fs.symlinkSync(outside, join(root, 'out'));
    const journal = join(outside, 'journal');
    const begin = (...names: string[]): string => `+${JSON.stringify(names)}\n`;
    fs.writeFileSync(
      journal,
      [
        begin('d', leftover('1')),
        begin(leftover('2')),
        begin('d', leftover('3')),
        `-${leftover('3')}\n`,
        begin('a.txt'),
        begin('d', 'a.txt'),
        begin('gone', leftover('6')),
        begin('out', leftover('5')),
        begin('..', 'outside', leftover('5')),
        // Truncated by a full disk, then continued.
        '+["d","',
        `\n${begin('d', leftover('7'))}`,
        '+["cut off by the cr',
      ].join(''),
    );
    const storage = await openDiskStorage({ root, temporaryJournal: journal });
    expect(fs.readdirSync(join(root, 'd')).toSorted()).toEqual([leftover('3'), leftover('4'), 'a.txt']);
    expect(fs.readdirSync(root).toSorted()).toEqual(['a.txt', 'd', 'out']);
    expect(fs.existsSync(join(outside, leftover('5')))).toBe(true);
    expect(fs.readFileSync(journal, 'utf8')).toBe('');
    expect(await namesIn(storage, '/d')).toEqual(['a.txt']);
    await storage.close();
  });

  test('leave no placeholder file or folder behind after a crash', async () => {
    const {
      storage: first,
      root,
      outside,
    } = await disks.open({
      files: {
        '/source/a.txt': 'a',
        '/taken/': '',
        '/moved/': '',
        '/full/b.txt': 'b',
        '/file.txt': 'c',
        '/empty.txt': '',
        '/other.txt': 'd',
      },
    });
    await first.close();
    const journal = join(outside, 'journal');
    const placeholder = (digit: string, place: string, source: string): string =>
      `=${JSON.stringify([leftover(digit), [place], [source]])}\n`;
    fs.writeFileSync(
      journal,
      [
        placeholder('1', 'taken', 'source'),
        // The rename was done: the name belongs to the real entry.
        placeholder('2', 'moved', 'gone'),
        placeholder('3', 'full', 'source'),
        placeholder('4', 'empty.txt', 'file.txt'),
        placeholder('5', 'other.txt', 'file.txt'),
        '=["",["source"]]\n=[1,2,3]\n',
      ].join(''),
    );
    await (await openDiskStorage({ root, temporaryJournal: journal })).close();
    expect(fs.readdirSync(root).toSorted()).toEqual(['file.txt', 'full', 'moved', 'other.txt', 'source']);
    expect(fs.readFileSync(join(root, 'other.txt'), 'utf8')).toBe('d');
  });

  test('are kept in the journal for the next start when they cannot be removed', async (context) => {
    const { storage: first, root, outside } = await disks.open({ files: { '/a/x.txt': 'x' } });
    await first.close();
    const disk = join(root, 'a');
    const mounts = new Mounts();
    mounts.required(context).tmpfs(disk);
    try {
      writeTree(disk, { [`/${leftover('1')}`]: 'ours' });
      const journal = join(outside, 'journal');
      fs.writeFileSync(journal, `+${JSON.stringify(['a', leftover('1')])}\n`);
      mounts.remountReadOnly(disk);
      await (await openDiskStorage({ root, temporaryJournal: journal })).close();
      expect(fs.readdirSync(disk)).toEqual([leftover('1')]);
      spawnSync('mount', ['-o', 'remount,rw', disk]);
      await (await openDiskStorage({ root, temporaryJournal: journal })).close();
      expect(fs.readdirSync(disk)).toEqual([]);
    } finally {
      mounts.release();
    }
  });

  test('are in the journal only while they are being written', async () => {
    const { storage: first, root, outside } = await disks.open({ files: { '/d/e/a.txt': 'a' } });
    await first.close();
    const journal = join(outside, 'journal');
    const open = async (): Promise<Awaited<ReturnType<typeof openDiskStorage>>> =>
      openDiskStorage({ root, temporaryJournal: journal });
    const storage = await open();
    const inner = await storage.within(path('/d'));
    let during = '';
    async function* source(): AsyncGenerator<Uint8Array> {
      during = fs.readFileSync(journal, 'utf8');
      yield new Uint8Array(10);
    }
    await inner.write(path('/e/new'), source(), { mode: 'create' });
    const [temporary] = /\.filestead-[0-9a-f]{32}\.part/.exec(during) ?? [''];
    expect(during).toContain(JSON.stringify(['d', 'e', temporary]));
    await expect(inner.write(path('/e/other'), breaksAfter('x'), { mode: 'create' })).rejects.toThrow();
    await inner.close();
    await storage.close();
    writeTree(root, { [`/d/e/${temporary}`]: 'created by another program since' });
    await (await open()).close();
    expect(fs.readdirSync(join(root, 'd/e')).toSorted()).toEqual([temporary, 'a.txt', 'new']);
  });

  test('do not prevent the removal of their folder', async () => {
    const { storage, root } = await disks.open({ files: { [`/d/${leftover('1')}`]: 'x' } });
    expect(await namesIn(storage, '/d')).toEqual([]);
    await storage.remove(path('/d'));
    expect(fs.readdirSync(root)).toEqual([]);
    await storage.close();
  });
});
