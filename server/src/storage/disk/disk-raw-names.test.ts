import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unpackRaw } from '../../../test/fixtures/archive-reading.ts';
import { openDiskPaths } from './disk-paths.ts';
import { openDiskStorage } from './open-disk-storage.ts';
import type { Storage } from '../storage.ts';
import {
  bytesOf,
  namesIn,
  once,
  over,
  path,
  rawName,
  readText,
  refused,
  treeOf,
} from '../testing/storage-testing.ts';
import { temporaryDisks } from '../testing/temporary-disk.ts';

const disks = temporaryDisks();
const latin1 = rawName('caf', 0xe9, '.txt');
const folder = rawName('f', 0xfc, 'r');

/** A disk path of bytes. */
const raw = (...parts: readonly (number | string)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part))));
const rawNamesIn = (diskPath: string | Buffer): string[] =>
  fs.readdirSync(diskPath, { encoding: 'buffer' }).map((name) => name.toString('latin1'));

async function pack(storage: Storage, container: 'tar' | 'zip', folderName = ''): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of storage.pack([{ path: path('/'), name: folderName }], { container }))
    pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

describe.runIf(process.platform === 'linux')('names of bytes on a disk', () => {
  test('are preserved byte by byte by every operation', async () => {
    const { storage, root } = await disks.open();
    fs.mkdirSync(raw(root, '/f', 0xfc, 'r'));
    fs.writeFileSync(raw(root, '/f', 0xfc, 'r/caf', 0xe9, '.txt'), 'coffee');
    expect(await treeOf(storage)).toEqual({ [`/${folder}/`]: '', [`/${folder}/${latin1}`]: 'coffee' });
    await storage.copy(path(`/${folder}/${latin1}`), path(`/${rawName(0xff)}`), once);
    await storage.move(path(`/${folder}`), path(`/${rawName(0xfe)}`), once);
    await storage.write(path(`/${rawName(0xfe, 0xe9)}`), bytesOf('new'), { mode: 'create' });
    await storage.createFolder(path(`/${rawName(0xfd)}`));
    expect(rawNamesIn(root)).toEqual(['\xfd', '\xfe', '\xfe\xe9', '\xff']);
    expect(rawNamesIn(raw(root, '/', 0xfe))).toEqual(['caf\xe9.txt']);
    await storage.move(path(`/${rawName(0xfe)}/${latin1}`), path('/café.txt'), once);
    expect(fs.readFileSync(join(root, 'café.txt'), 'utf8')).toBe('coffee');
    await storage.close();
  });

  test('differ from a name that contains the escape character itself', async () => {
    const { storage, root } = await disks.open();
    const character = '\u{10FEE9}';
    fs.writeFileSync(join(root, character), 'character');
    fs.writeFileSync(raw(root, '/', 0xe9), 'byte');
    expect(await namesIn(storage, '/')).toHaveLength(2);
    expect(await readText(storage, `/${rawName(0xe9)}`)).toBe('byte');
    expect(await readText(storage, `/${rawName(character)}`)).toBe('character');
    await storage.remove(path(`/${rawName(0xe9)}`));
    expect(fs.readdirSync(root)).toEqual([character]);
    await storage.close();
  });

  test('are followed in link targets inside, and not out of the storage', async () => {
    const { storage, root, outside } = await disks.open({ files: { [`/${folder}/${latin1}`]: 'inside' } });
    fs.writeFileSync(raw(outside, '/', 0xe9), 'outside');
    fs.symlinkSync(raw('f', 0xfc, 'r/caf', 0xe9, '.txt'), join(root, 'file'));
    fs.symlinkSync(raw(root, '/f', 0xfc, 'r'), raw(root, '/link', 0xff));
    fs.symlinkSync(raw('../outside/', 0xe9), raw(root, '/out', 0xff));
    expect(await readText(storage, '/file')).toBe('inside');
    expect(await readText(storage, `/${rawName('link', 0xff)}/${latin1}`)).toBe('inside');
    await expect(storage.openFile(path(`/${rawName('out', 0xff)}`))).rejects.toEqual(
      refused('external_link'),
    );
    expect(await storage.stat(path(`/${rawName('out', 0xff)}`))).toMatchObject({ kind: 'invalid_link' });
    await storage.copy(path('/file'), path('/copy'), once);
    expect(await readText(storage, '/copy')).toBe('inside');
    const following = await openDiskStorage({ root, followExternalLinks: true });
    expect(await readText(following, `/${rawName('out', 0xff)}`)).toBe('outside');
    await following.close();
    await storage.close();
  });

  test('do not reveal excluded entries below them', async () => {
    const { storage: first, root, outside } = await disks.open({ files: { [`/${folder}/data/db`]: '' } });
    await first.close();
    fs.symlinkSync(raw(root, '/f', 0xfc, 'r/data'), join(outside, 'data'));
    const storage = await openDiskStorage({ root, excluded: [join(outside, 'data')] });
    expect(await namesIn(storage, `/${folder}`)).toEqual([]);
    expect(await storage.stat(path(`/${folder}/data/db`))).toBeNull();
    await expect(storage.remove(path(`/${folder}`))).rejects.toEqual(refused('forbidden'));
    await storage.close();
  });

  test('are found in the journal, and their leftovers are removed at the next start', async () => {
    const { storage, root, outside } = await disks.open({ files: { [`/${folder}/`]: '' } });
    await storage.close();
    const part = `.filestead-${'a'.repeat(32)}.part`;
    fs.writeFileSync(raw(root, '/f', 0xfc, `r/${part}`), '');
    const temporaryJournal = join(outside, 'journal');
    fs.writeFileSync(temporaryJournal, `+${JSON.stringify([folder, part])}\n`);
    await (await openDiskStorage({ root, temporaryJournal })).close();
    expect(rawNamesIn(raw(root, '/f', 0xfc, 'r'))).toEqual([]);
  });

  test('are opened as the scope of a program', async () => {
    const { storage, root } = await disks.open({ files: { [`/${folder}/${latin1}`]: '' } });
    const paths = await openDiskPaths({ root });
    const pinned = await paths.pinFolder(path(`/${folder}`));
    expect(pinned.realPath).toBe(`${root}/${folder}`);
    expect(await pinned.entry(path(`/${latin1}`))).toEqual({
      path: `${root}/${folder}/${latin1}`,
      isFolder: false,
    });
    pinned.release();
    paths.close();
    await storage.close();
  });

  test('are all listed and packed in a folder of many', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 600 }, (_, i) => [
        i % 2 === 0 ? `/n${i}` : `/${rawName('n', 0xe9, String(i))}`,
        '',
      ]),
    );
    const { storage } = await disks.open({ files });
    expect((await namesIn(storage, '/')).toSorted()).toEqual(
      Object.keys(files)
        .map((name) => name.slice(1))
        .toSorted(),
    );
    expect(unpackRaw(await pack(storage, 'tar'), 'tar').size).toBe(600);
    await storage.close();
  });

  test.each(['tar', 'zip'] as const)('are stored as bytes in a %s', async (container) => {
    const long = rawName('l'.repeat(120), 0xe9);
    const { storage } = await disks.open({
      files: {
        [`/${latin1}`]: 'latin-1',
        '/café.txt': 'utf-8',
        [`/${folder}/${rawName(0xfe, 0xfe)}`]: 'no character',
        [`/${folder}/日本`]: 'mixed',
        [`/${folder}/${long}/${long}`]: 'long',
        [`/${rawName(0xed, 0xa0, 0x80)}`]: 'surrogate',
      },
    });
    const unpacked = unpackRaw(await pack(storage, container, 'top'), container);
    const bytesAsText = (...parts: (number | string)[]): string => raw(...parts).toString('latin1');
    const longBytes = `${'l'.repeat(120)}\xe9`;
    expect(Object.fromEntries(unpacked)).toEqual({
      top: null,
      'top/caf\xe9.txt': 'latin-1',
      [bytesAsText('top/café.txt')]: 'utf-8',
      'top/f\xfcr': null,
      'top/f\xfcr/\xfe\xfe': 'no character',
      [bytesAsText('top/f', 0xfc, 'r/日本')]: 'mixed',
      [`top/f\xfcr/${longBytes}`]: null,
      [`top/f\xfcr/${longBytes}/${longBytes}`]: 'long',
      'top/\xed\xa0\x80': 'surrogate',
    });
    await storage.close();
  });

  test('are unchanged in a zip, even if some readers drop bytes', async () => {
    // Info-ZIP drops the byte FF from the names of extracted files.
    const { storage } = await disks.open({ files: { [`/${rawName('x', 0xff)}`]: '', '/é': '' } });
    const zip = await pack(storage, 'zip');
    const flagsBefore = (name: Buffer): number => zip.readUInt16LE(zip.indexOf(name) - 30 + 6);
    expect(flagsBefore(raw('x', 0xff)) & 0x800).toBe(0);
    expect(flagsBefore(raw('é')) & 0x800).toBe(0x800);
    await storage.close();
  });

  test('are merged only with exactly the same bytes', async () => {
    const { storage, root } = await disks.open({
      files: {
        [`/from/${latin1}`]: 'new',
        [`/to/${latin1}`]: 'old',
        [`/to/${rawName('caf', 0xe8, '.txt')}`]: 'another',
      },
    });
    await storage.move(path('/from'), path('/to'), over);
    expect(rawNamesIn(join(root, 'to'))).toEqual(['caf\xe8.txt', 'caf\xe9.txt']);
    expect(await readText(storage, `/to/${latin1}`)).toBe('new');
    expect(await readText(storage, `/to/${rawName('caf', 0xe8, '.txt')}`)).toBe('another');
    await storage.close();
  });
});
