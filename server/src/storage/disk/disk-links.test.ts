import fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  bytesOf,
  entriesOf,
  namesIn,
  once,
  over,
  path,
  readText,
  refused,
  treeOf,
} from '../testing/storage-testing.ts';
import { openDiskStorage } from './open-disk-storage.ts';
import type { Confinement } from './paths/folder.ts';
import type { Storage } from '../storage.ts';
import { writeTree, temporaryDisks } from '../testing/temporary-disk.ts';

const disks = temporaryDisks();

/** Returns everything below `folder` on the disk with types, link targets, contents and modes, to detect changes. */
function snapshot(folder: string): Record<string, string> {
  const seen: Record<string, string> = {};
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const stats = fs.lstatSync(join(folder, name));
    const content = stats.isSymbolicLink()
      ? fs.readlinkSync(join(folder, name))
      : stats.isFile()
        ? fs.readFileSync(join(folder, name), 'utf8')
        : '';
    seen[name] = `${stats.mode.toString(8)} ${stats.mtimeMs} ${content}`;
  }
  return seen;
}

describe.each<Confinement>(['descriptor', 'path'])('links, confinement by %s', (confinement) => {
  let storage: Storage;
  let root: string;
  let outside: string;
  let outsideBefore: Record<string, string>;

  const link = (target: string, name: string): void => fs.symlinkSync(target, join(root, name));

  beforeEach(async () => {
    ({ storage, root, outside } = await disks.open({
      confinement,
      files: {
        '/a.txt': 'a',
        '/docs/in.txt': 'in',
        '/docs/sub/deep.txt': 'deep',
        '/private/secret.txt': 's',
      },
    }));
    writeTree(outside, { '/canary-out.txt': 'canary', '/dir/f.txt': 'f', '/dir/victim.txt': 'v' });
    outsideBefore = snapshot(outside);
    return async () => {
      expect(snapshot(outside)).toEqual(outsideBefore);
      await storage.close();
    };
  });

  test.each([
    ['relative', 'docs/in.txt'],
    ['relative with dots and slashes', './docs//./in.txt'],
    ['up and down again', 'docs/sub/../in.txt'],
    ['absolute', 'ROOT/docs/in.txt'],
    ['absolute with dots', 'ROOT/./docs/sub/../../docs/in.txt'],
    ['through another link', 'todocs/in.txt'],
    ['up from where another link leads', 'tosub/../in.txt'],
  ])('follows a link to an entry inside (%s)', async (_, target) => {
    link('docs', 'todocs');
    link('docs/sub', 'tosub');
    link(target.replace('ROOT', root), 'l');
    expect(await storage.stat(path('/l'))).toMatchObject({
      name: 'l',
      kind: 'file',
      size: 2,
      isSymlink: true,
    });
    expect(await readText(storage, '/l')).toBe('in');
  });

  test('links to a folder and to the root are listed as folders', async () => {
    link('docs', 'd');
    link(root, 'r');
    link('..', 'docs/up');
    expect(await readText(storage, '/d/sub/deep.txt')).toBe('deep');
    expect(await readText(storage, '/r/r/d/in.txt')).toBe('in');
    expect(await readText(storage, '/docs/up/docs/up/a.txt')).toBe('a');
    expect(await storage.stat(path('/r'))).toMatchObject({ name: 'r', kind: 'folder', isSymlink: true });
    const listing = await storage.list(path('/r/d'));
    expect(listing.names).toEqual(['sub', 'up', 'in.txt']);
    expect((await entriesOf(listing))[1]).toMatchObject({ name: 'up', kind: 'folder', isSymlink: true });
  });

  test('absolute links may use the configured path of the root', async () => {
    const alias = join(outside, '..', 'alias');
    fs.symlinkSync(root, alias);
    const other = await openDiskStorage({ root: alias, confinement });
    link(join(alias, 'docs/in.txt'), 'by-alias');
    link(join(root, 'docs/in.txt'), 'by-name');
    expect(await readText(other, '/by-alias')).toBe('in');
    expect(await readText(other, '/by-name')).toBe('in');
    await other.close();
  });

  const escapes: [string, (out: string) => string][] = [
    ['absolute to a file', (out) => join(out, 'canary-out.txt')],
    ['relative to a file', () => '../outside/canary-out.txt'],
    ['to a missing file', (out) => join(out, 'missing')],
    ['to a folder', (out) => join(out, 'dir')],
    ['to the parent of the root', () => '..'],
    ['out and in again', () => '../root/a.txt'],
    ['to a sibling whose name has the same prefix', (out) => `${out}/../root2/x`],
    ['to a pseudo-file of the process', () => '/proc/self/environ'],
    ['to a device', () => '/dev/stdin'],
    ['to the root of the process', () => '/proc/self/root'],
  ];

  test.each(escapes)('a link %s is reported as invalid and never followed', async (_, target) => {
    link(target(outside), 'esc');
    const own = fs.lstatSync(join(root, 'esc'));
    const metadata = { name: 'esc', kind: 'invalid_link', size: own.size, mode: own.mode, isSymlink: true };
    expect(await storage.stat(path('/esc'))).toMatchObject(metadata);
    const listing = await storage.list(path('/'));
    expect(listing.names).toEqual(['docs', 'private', 'a.txt', 'esc']);
    expect(listing.folderCount).toBe(2);
    expect((await entriesOf(listing))[3]).toMatchObject({ ...metadata, modifiedMs: Math.floor(own.mtimeMs) });

    const external = refused('external_link');
    await expect(storage.openFile(path('/esc'))).rejects.toEqual(external);
    await expect(storage.list(path('/esc'))).rejects.toEqual(external);
    await expect(storage.within(path('/esc'))).rejects.toEqual(external);
    await expect(storage.usage(path('/esc'))).rejects.toEqual(external);
    await expect(treeOf(storage, '/esc')).rejects.toEqual(external);
    await expect(storage.copy(path('/esc'), path('/copy'), once)).rejects.toEqual(external);
    await expect(storage.stat(path('/esc/f.txt'))).rejects.toEqual(external);
    await expect(storage.openFile(path('/esc/f.txt'))).rejects.toEqual(external);
  });

  test.each(escapes)('nothing is created, changed or removed behind a link %s', async (_, target) => {
    link(target(outside), 'esc');
    const external = refused('external_link');
    for (const mode of ['create', 'replace', 'either'] as const) {
      const code = mode === 'create' ? 'already_exists' : 'external_link';
      await expect(storage.write(path('/esc'), bytesOf('x'), { mode })).rejects.toEqual(refused(code));
      await expect(storage.write(path('/esc/new.txt'), bytesOf('x'), { mode })).rejects.toEqual(external);
      await expect(
        storage.write(path('/esc/victim.txt'), bytesOf('x'), { mode, createParents: true }),
      ).rejects.toEqual(external);
    }
    await expect(storage.createFolder(path('/esc/newdir'))).rejects.toEqual(external);
    await expect(storage.createFolder(path('/esc/a/b/c'))).rejects.toEqual(external);
    await expect(storage.move(path('/a.txt'), path('/esc/x'), once)).rejects.toEqual(external);
    await expect(storage.copy(path('/a.txt'), path('/esc/x'), over)).rejects.toEqual(external);
    await expect(storage.move(path('/esc/f.txt'), path('/stolen'), once)).rejects.toEqual(external);
    await expect(storage.remove(path('/esc/f.txt'))).rejects.toEqual(external);
    expect(await namesIn(storage, '/')).toEqual(['docs', 'private', 'a.txt', 'esc']);
  });

  test('a dangling link below a link that leads out is not changed (SL-07)', async () => {
    fs.symlinkSync('../escaped', join(outside, 'dir/evil'));
    outsideBefore = snapshot(outside);
    link(join(outside, 'dir'), 'm');
    await expect(storage.write(path('/m/evil'), bytesOf('x'), { mode: 'either' })).rejects.toEqual(
      refused('external_link'),
    );
  });

  test('an invalid link is listed, cannot be opened, and can be removed', async () => {
    link('nothing', 'broken');
    link('loop2', 'loop1');
    link('loop1', 'loop2');
    for (const name of ['/broken', '/loop1']) {
      expect(await storage.stat(path(name))).toMatchObject({ kind: 'invalid_link', isSymlink: true });
      await expect(storage.openFile(path(name))).rejects.toEqual(refused('not_found'));
    }
    expect(await storage.stat(path('/loop1/x'))).toBeNull();
    expect(await namesIn(storage, '/')).toEqual(['docs', 'private', 'a.txt', 'broken', 'loop1', 'loop2']);
    await storage.remove(path('/broken'));
    expect(await storage.stat(path('/broken'))).toBeNull();
  });

  test('a chain of 40 links is followed, one of 41 is not', async () => {
    link('a.txt', 'l1');
    for (let i = 2; i <= 41; i++) link(`l${i - 1}`, `l${i}`);
    expect(await readText(storage, '/l40')).toBe('a');
    await expect(storage.openFile(path('/l41'))).rejects.toEqual(refused('not_found'));
  });

  test('writing through a link inside replaces the target and keeps the link', async () => {
    link('docs/in.txt', 'l');
    const entry = await storage.write(path('/l'), bytesOf('new'), { mode: 'replace' });
    expect(entry).toMatchObject({ name: 'l', size: 3, isSymlink: true });
    expect(fs.readlinkSync(join(root, 'l'))).toBe('docs/in.txt');
    expect(fs.readFileSync(join(root, 'docs/in.txt'), 'utf8')).toBe('new');
    expect(await namesIn(storage, '/docs')).toEqual(['sub', 'in.txt']);
  });

  test('removing a link, or a tree that contains links, keeps the targets', async () => {
    link('docs', 'd');
    link(join(outside, 'dir'), 'docs/out');
    link('../private', 'docs/p');
    await storage.remove(path('/d'));
    expect(await readText(storage, '/docs/in.txt')).toBe('in');
    await storage.remove(path('/docs'));
    expect(await treeOf(storage)).toEqual({ '/a.txt': 'a', '/private/': '', '/private/secret.txt': 's' });
  });

  test('moving a link moves the link itself, also one that leads out', async () => {
    link(join(outside, 'canary-out.txt'), 'esc');
    await storage.move(path('/esc'), path('/docs/esc2'), once);
    expect(fs.readlinkSync(join(root, 'docs/esc2'))).toBe(join(outside, 'canary-out.txt'));
    expect(fs.existsSync(join(root, 'esc'))).toBe(false);
    await storage.move(path('/docs'), path('/private/docs'), once);
    expect(fs.readlinkSync(join(root, 'private/docs/esc2'))).toBe(join(outside, 'canary-out.txt'));
  });

  test('a file moved or copied onto a link replaces the link, never its target', async () => {
    for (const verb of ['copy', 'move'] as const) {
      link(join(outside, 'canary-out.txt'), `over-${verb}`);
      await storage[verb](path('/a.txt'), path(`/over-${verb}`), over);
      expect(fs.lstatSync(join(root, `over-${verb}`)).isFile()).toBe(true);
    }
    link('docs', 'd');
    await expect(storage.copy(path('/private/secret.txt'), path('/d'), over)).rejects.toEqual(
      refused('already_exists'),
    );
    await expect(storage.copy(path('/private'), path('/d'), over)).rejects.toEqual(refused('already_exists'));
  });

  test('moving one hard link of a file onto another keeps the other', async () => {
    fs.linkSync(join(root, 'a.txt'), join(root, 'b.txt'));
    await storage.move(path('/a.txt'), path('/b.txt'), over);
    expect(await namesIn(storage, '/')).toEqual(['docs', 'private', 'b.txt']);
    fs.linkSync(join(root, 'b.txt'), join(root, 'B.txt'));
    await storage.move(path('/B.txt'), path('/B2.txt'), over);
    expect(await namesIn(storage, '/')).toEqual(['docs', 'private', 'b.txt', 'B2.txt']);
  });

  test('a copy contains the targets of links that stay inside, and skips the others', async () => {
    link('in.txt', 'docs/same.txt');
    link('../private', 'docs/p');
    link(join(outside, 'dir'), 'docs/out');
    link(join(outside, 'canary-out.txt'), 'docs/canary');
    link('nothing', 'docs/broken');
    await storage.copy(path('/docs'), path('/copy'), once);
    expect(await treeOf(storage, '/copy')).toEqual({
      '/copy/in.txt': 'in',
      '/copy/same.txt': 'in',
      '/copy/sub/': '',
      '/copy/sub/deep.txt': 'deep',
      '/copy/p/': '',
      '/copy/p/secret.txt': 's',
    });
    expect(fs.lstatSync(join(root, 'copy/same.txt')).isFile()).toBe(true);
  });

  test('copying a tree with circular links ends', async () => {
    link('..', 'docs/sub/up');
    link(root, 'docs/all');
    link('../docs', 'private/docs');
    link('../private', 'docs/private');
    await storage.copy(path('/docs'), path('/copy'), once);
    expect(await readText(storage, '/copy/sub/deep.txt')).toBe('deep');
    expect(await readText(storage, '/copy/private/secret.txt')).toBe('s');
    await storage.copy(path('/docs'), path('/private'), over);
    expect(await readText(storage, '/private/sub/deep.txt')).toBe('deep');
  });

  test('a folder cannot be moved or copied below itself through a link', async () => {
    link('docs', 'd');
    for (const verb of ['move', 'copy'] as const) {
      await expect(storage[verb](path('/docs'), path('/d/sub/x'), once)).rejects.toEqual(
        refused('moves_into_itself'),
      );
    }
    expect(await readText(storage, '/docs/in.txt')).toBe('in');
  });

  test('a walk returns links and does not enter them', async () => {
    link('docs', 'd');
    link(outside, 'o');
    const seen: Record<string, [string, boolean]> = {};
    for await (const { path: walked, entry } of storage.walk(path('/')))
      seen[walked] = [entry.kind, entry.isSymlink];
    expect(seen['/d']).toEqual(['folder', true]);
    expect(seen['/o']).toEqual(['invalid_link', true]);
    expect(
      Object.keys(seen).filter((walked) => walked.startsWith('/d/') || walked.startsWith('/o/')),
    ).toEqual([]);
  });

  test('links do not lead out of the root of a narrower storage (SL-13, SL-21)', async () => {
    writeTree(root, { '/pub/x.txt': 'x' });
    link('../private', 'pub/l');
    link('pub', 'alias');
    fs.symlinkSync(join(root, 'alias/x.txt'), join(root, 'pub/abs'));
    for (const name of ['/pub', '/alias']) {
      const share = await storage.within(path(name));
      expect(await share.stat(path('/l'))).toMatchObject({ kind: 'invalid_link' });
      await expect(share.list(path('/l'))).rejects.toEqual(refused('external_link'));
      await expect(share.openFile(path('/l/secret.txt'))).rejects.toEqual(refused('external_link'));
      expect(await readText(share, '/x.txt')).toBe('x');
      await share.write(path('/new.txt'), bytesOf('n'), { mode: 'either' });
      await share.move(path('/new.txt'), path('/moved.txt'), once);
      await share.remove(path('/moved.txt'));
      if (name === '/alias') expect(await readText(share, '/abs')).toBe('x');
      await share.close();
    }
    await expect(storage.within(path('/nothing'))).rejects.toEqual(refused('not_found'));
  });

  test('the storage does not reveal whether a path outside exists (SL-25)', async () => {
    link(join(outside, 'canary-out.txt'), 'there');
    link(join(outside, 'canary-not.txt'), 'missing');
    const outcomesOf = async (name: string): Promise<unknown[]> => {
      const results = await Promise.allSettled([
        storage.stat(path(`/${name}/below`)),
        storage.openFile(path(`/${name}`)),
        storage.list(path(`/${name}`)),
        storage.write(path(`/${name}`), bytesOf(''), { mode: 'either' }),
        storage.createFolder(path(`/${name}/x`)),
      ]);
      return results.map((result) =>
        result.status === 'rejected' ? String(result.reason) + result.reason.code : 'done',
      );
    };
    expect(await outcomesOf('there')).toEqual(await outcomesOf('missing'));
  });

  test('a guard checks the target of a link', async () => {
    link('private', 'p');
    link('private/secret.txt', 'l');
    link('nothing', 'private/broken');
    const guarded = storage.guarded((checked) => {
      if (checked === '/private' || checked.startsWith('/private/')) throw new Error('denied');
    });
    for (const denied of ['/p', '/l', '/p/secret.txt', '/p/nothing', '/p/nothing/below', '/p/broken']) {
      await expect(guarded.stat(path(denied))).rejects.toThrow('denied');
    }
    const listing = await guarded.list(path('/'));
    expect([...listing.refused].map((position) => listing.names[position])).toEqual(['p', 'l']);
    await expect(guarded.copy(path('/l'), path('/copy'), once)).rejects.toThrow('denied');
    await expect(guarded.write(path('/p/new'), bytesOf('x'), { mode: 'either' })).rejects.toThrow('denied');
    fs.symlinkSync('../private', join(root, 'docs/inner'));
    await expect(guarded.copy(path('/docs'), path('/copy'), once)).rejects.toThrow('denied');
    expect(await namesIn(storage, '/')).toEqual(['docs', 'p', 'private', 'a.txt', 'l']);
    await guarded.remove(path('/l'));
  });
});

describe('external links that the administrator allows', () => {
  test('lead anywhere except to excluded entries', async () => {
    const { storage: closed, root, outside } = await disks.open();
    await closed.close();
    writeTree(outside, {
      '/canary-out.txt': 'canary',
      '/dir/f.txt': 'f',
      '/dir/deep/x': 'x',
      '/data/key': 'k',
      '/data/sub/key': 'k',
    });
    fs.symlinkSync(join(outside, 'canary-out.txt'), join(root, 'file'));
    fs.symlinkSync(join(outside, 'dir'), join(root, 'dir'));
    fs.symlinkSync('../canary-out.txt', join(outside, 'dir/inner'));
    fs.symlinkSync(join(outside, 'data'), join(root, 'data'));
    fs.symlinkSync(join(outside, 'data/sub'), join(root, 'sub'));
    fs.symlinkSync(join(outside, 'data/key'), join(root, 'key'));
    fs.symlinkSync(join(outside, 'missing'), join(root, 'missing'));
    const storage = await openDiskStorage({
      root,
      followExternalLinks: true,
      excluded: [join(outside, 'data')],
    });
    expect(await readText(storage, '/file')).toBe('canary');
    expect(await readText(storage, '/dir/deep/x')).toBe('x');
    expect(await readText(storage, '/dir/inner')).toBe('canary');
    await storage.write(path('/dir/new'), bytesOf('n'), { mode: 'create' });
    await storage.write(path('/file'), bytesOf('changed'), { mode: 'replace' });
    expect(fs.readFileSync(join(outside, 'canary-out.txt'), 'utf8')).toBe('changed');
    expect(fs.readFileSync(join(outside, 'dir/new'), 'utf8')).toBe('n');
    for (const excluded of ['/data/key', '/sub/key', '/key']) {
      await expect(storage.openFile(path(excluded))).rejects.toEqual(refused('not_found'));
    }
    const entries = await entriesOf(await storage.list(path('/')));
    expect(entries.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'dir folder',
      'data invalid_link',
      'file file',
      'key invalid_link',
      'missing invalid_link',
      'sub invalid_link',
    ]);
    await storage.remove(path('/dir'));
    expect(fs.existsSync(join(outside, 'dir/f.txt'))).toBe(true);
    await storage.close();
  });
});
