import fs from 'node:fs';
import { join } from 'node:path';
import {
  type PermissionName,
  permissionNames,
  type Permissions,
} from '@filestead/contract/values/permissions';
import { isAtOrBelow, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { noPermissions } from '@filestead/contract/values/permissions';
import { describe, expect, test } from 'vitest';
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
import { openMemoryStorage } from '../memory/memory-storage.ts';
import { type Access, narrowTo } from './narrow-to.ts';
import type { Storage } from '../storage.ts';
import { temporaryDisks } from '../testing/temporary-disk.ts';

const disks = temporaryDisks();
const forbidden = refused('forbidden');

const only = (...names: PermissionName[]): Permissions => {
  const can: Permissions = { ...noPermissions };
  for (const name of names) can[name] = true;
  return can;
};
const all = only(...permissionNames);

/** Denies the paths `denied` and everything below them, except `allowed` and everything below that. */
const denying =
  (denied: string[], allowed: string[] = []): Access['allows'] =>
  (checked) =>
    !denied.some((rule) => isAtOrBelow(checked, path(rule))) ||
    allowed.some((rule) => isAtOrBelow(checked, path(rule)));

const narrow = (storage: Storage, access: Partial<Access>): Storage =>
  narrowTo(storage, { allows: () => true, hideDotfiles: false, can: all, ...access });

describe('permissions', () => {
  const files = { '/a.txt': 'a', '/b.txt': 'b', '/docs/c.txt': 'c', '/other/d.txt': 'd' };
  const write = (mode: 'create' | 'replace' | 'either', name: string) => (storage: Storage) =>
    storage.write(path(name), bytesOf('x'), { mode });

  const acts: [string, PermissionName[], (storage: Storage) => Promise<unknown>][] = [
    ['read metadata', [], (storage) => storage.stat(path('/a.txt'))],
    ['list', [], (storage) => storage.list(path('/docs'))],
    ['read the usage', [], (storage) => storage.usage(path('/'))],
    ['open a file', ['download'], (storage) => storage.openFile(path('/a.txt'))],
    ['create a file', ['create'], write('create', '/new.txt')],
    ['write a missing file', ['create'], write('either', '/new.txt')],
    ['write an existing file', ['modify'], write('either', '/a.txt')],
    ['replace a file', ['modify'], write('replace', '/a.txt')],
    ['create a folder', ['create'], (storage) => storage.createFolder(path('/new'))],
    ['rename', ['rename'], (storage) => storage.move(path('/a.txt'), path('/new.txt'), once)],
    [
      'rename to a free name, overwriting allowed',
      ['rename'],
      (storage) => storage.move(path('/a.txt'), path('/new.txt'), over),
    ],
    [
      'rename over a file',
      ['rename', 'modify'],
      (storage) => storage.move(path('/a.txt'), path('/b.txt'), over),
    ],
    ['merge folders', ['rename', 'modify'], (storage) => storage.move(path('/docs'), path('/other'), over)],
    ['copy', ['create'], (storage) => storage.copy(path('/a.txt'), path('/new.txt'), once)],
    [
      'copy over a file',
      ['create', 'modify'],
      (storage) => storage.copy(path('/a.txt'), path('/b.txt'), over),
    ],
    [
      'copy into a folder',
      ['create', 'modify'],
      (storage) => storage.copy(path('/docs'), path('/other'), over),
    ],
    ['remove', ['delete'], (storage) => storage.remove(path('/docs'))],
  ];

  test.each(acts)('the operation “%s” requires exactly the permissions %j', async (_, needed, act) => {
    await act(narrow(await openMemoryStorage(files), { can: only(...needed) }));
    for (const missing of needed) {
      const storage = await openMemoryStorage(files);
      const can = { ...all, [missing]: false };
      await expect(act(narrow(storage, { can }))).rejects.toEqual(forbidden);
      expect(await treeOf(storage)).toEqual(await treeOf(await openMemoryStorage(files)));
    }
  });

  test('the permission admin grants nothing on files', async () => {
    const storage = narrow(await openMemoryStorage(files), { can: only('admin') });
    for (const [, needed, act] of acts)
      if (needed.length > 0) await expect(act(storage)).rejects.toEqual(forbidden);
  });

  test('a denied call does not reveal whether the entry exists', async () => {
    const storage = narrow(await openMemoryStorage(files), { can: only() });
    for (const name of ['/a.txt', '/nothing']) {
      await expect(storage.openFile(path(name))).rejects.toEqual(forbidden);
      await expect(write('either', name)(storage)).rejects.toEqual(forbidden);
      await expect(write('create', name)(storage)).rejects.toEqual(forbidden);
      await expect(storage.remove(path(name))).rejects.toEqual(forbidden);
      await expect(storage.move(path(name), path('/x'), once)).rejects.toEqual(forbidden);
    }
  });

  test('a file that appears while it is being created is not replaced without the permission modify', async () => {
    const storage = await openMemoryStorage({});
    async function* slow(): AsyncGenerator<Uint8Array> {
      await storage.write(path('/a.txt'), bytesOf('first'), { mode: 'create' });
      yield new Uint8Array(1);
    }
    const creator = narrow(storage, { can: only('create') });
    await expect(creator.write(path('/a.txt'), slow(), { mode: 'either' })).rejects.toEqual(forbidden);
    expect(await treeOf(storage)).toEqual({ '/a.txt': 'first' });
  });

  test('missing parents are created only with the permission create', async () => {
    const storage = narrow(await openMemoryStorage(files), { can: only('rename') });
    await expect(
      storage.move(path('/a.txt'), path('/x/a.txt'), { ...once, createParents: true }),
    ).rejects.toEqual(refused('not_found'));
  });
});

describe('rules', () => {
  const files = {
    '/docs/ok.txt': 'o',
    '/docs/secret/deny.txt': 'd',
    '/docs/secret/pub/p.txt': 'p',
    '/docs2/x': 'x',
    '/a.txt': 'a',
  };
  const open = async (
    rules = denying(['/docs/secret']),
  ): Promise<{ storage: Storage; narrowed: Storage }> => {
    const storage = await openMemoryStorage(files);
    return { storage, narrowed: narrow(storage, { allows: rules }) };
  };

  test.each(['/docs/secret', '/docs/secret/deny.txt', '/docs/secret/nothing'])(
    '%s is forbidden, whether or not it exists',
    async (name) => {
      const { narrowed } = await open();
      const denied = path(name);
      await expect(narrowed.stat(denied)).rejects.toEqual(forbidden);
      await expect(narrowed.list(denied)).rejects.toEqual(forbidden);
      await expect(narrowed.openFile(denied)).rejects.toEqual(forbidden);
      await expect(narrowed.usage(denied)).rejects.toEqual(forbidden);
      await expect(narrowed.within(denied)).rejects.toEqual(forbidden);
      await expect(narrowed.write(denied, bytesOf('x'), { mode: 'either' })).rejects.toEqual(forbidden);
      await expect(narrowed.createFolder(denied)).rejects.toEqual(forbidden);
      await expect(narrowed.remove(denied)).rejects.toEqual(forbidden);
      await expect(narrowed.move(denied, path('/x'), once)).rejects.toEqual(forbidden);
      await expect(narrowed.copy(denied, path('/x'), once)).rejects.toEqual(forbidden);
      await expect(narrowed.move(path('/a.txt'), denied, over)).rejects.toEqual(forbidden);
      await expect(narrowed.copy(path('/a.txt'), denied, over)).rejects.toEqual(forbidden);
      await expect(treeOf(narrowed, name)).rejects.toEqual(forbidden);
    },
  );

  test('denied entries are neither listed nor counted nor walked', async () => {
    const { narrowed } = await open();
    const listing = await narrowed.list(path('/docs'));
    expect(listing.names).toEqual(['ok.txt']);
    expect(listing.folderCount).toBe(0);
    expect(await entriesOf(listing)).toMatchObject([{ name: 'ok.txt', size: 1 }]);
    expect(Object.keys(await treeOf(narrowed))).not.toContain('/docs/secret/deny.txt');
    expect(await namesIn(narrowed, '/docs2')).toEqual(['x']);
  });

  test('a later rule may allow a part again', async () => {
    const { narrowed } = await open(denying(['/docs/secret'], ['/docs/secret/pub']));
    expect(await readText(narrowed, '/docs/secret/pub/p.txt')).toBe('p');
    await expect(narrowed.list(path('/docs/secret'))).rejects.toEqual(forbidden);
  });

  test.each(['descriptor', 'memory'])(
    'a tree with a denied entry is refused as a whole (%s)',
    async (kind) => {
      const storage =
        kind === 'memory' ? await openMemoryStorage(files) : (await disks.open({ files })).storage;
      const narrowed = narrow(storage, { allows: denying(['/docs/secret', '/z/secret']) });
      const before = await treeOf(storage);
      await expect(narrowed.remove(path('/docs'))).rejects.toEqual(forbidden);
      await expect(narrowed.move(path('/docs'), path('/x'), once)).rejects.toEqual(forbidden);
      await expect(narrowed.copy(path('/docs'), path('/x'), once)).rejects.toEqual(forbidden);
      await expect(narrowed.copy(path('/docs'), path('/docs2'), over)).rejects.toEqual(forbidden);
      expect(await treeOf(storage)).toEqual(before);
      // The whole source is allowed, but one of its names is denied at the destination.
      await storage.createFolder(path('/from/secret/in'));
      await expect(narrowed.move(path('/from'), path('/z'), once)).rejects.toEqual(forbidden);
      await expect(narrowed.copy(path('/from'), path('/z'), once)).rejects.toEqual(forbidden);
      await expect(
        narrowed.write(path('/z/secret/new'), bytesOf(''), { mode: 'create', createParents: true }),
      ).rejects.toEqual(forbidden);
      expect(await storage.stat(path('/z'))).toBeNull();
      await narrowed.copy(path('/from'), path('/y'), once);
      await storage.close();
    },
  );

  test('rules still refer to the whole storage in a narrower one', async () => {
    const { narrowed } = await open();
    const docs = await narrowed.within(path('/docs'));
    expect(await namesIn(docs, '/')).toEqual(['ok.txt']);
    await expect(docs.stat(path('/secret'))).rejects.toEqual(forbidden);
    await expect(docs.move(path('/ok.txt'), path('/secret'), once)).rejects.toEqual(forbidden);
    expect(await docs.stat(path('/docs/secret'))).toBeNull();
  });

  test('filtering keeps names and metadata together in long listings', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 2500 }, (_, i) => [`/many/${i}`, 'x'.repeat(i % 90)]),
    );
    const { storage } = await disks.open({ files: many });
    const narrowed = narrow(storage, { allows: (checked: VirtualPath) => !/[37]$/.test(checked) });
    const entries = await entriesOf(await narrowed.list(path('/many')));
    expect(entries).toHaveLength(2000);
    for (const { name, size } of entries) expect(`${name} ${size}`).toBe(`${name} ${Number(name) % 90}`);
    await storage.close();
  });
});

describe('rules and links', () => {
  const files = {
    '/docs/in.txt': 'in',
    '/private/secret.txt': 's',
    '/private/deep/x': 'x',
    '/pub/p.txt': 'p',
  };

  test('rules apply to the target of a link as well as to its own name', async () => {
    const { storage, root } = await disks.open({ files });
    fs.symlinkSync('private', join(root, 'way'));
    fs.symlinkSync('private/secret.txt', join(root, 'file'));
    fs.symlinkSync('../private', join(root, 'docs/inner'));
    fs.symlinkSync('pub', join(root, 'named'));
    const narrowed = narrow(storage, { allows: denying(['/private', '/named']) });
    for (const name of [
      '/way',
      '/file',
      '/way/secret.txt',
      '/way/nothing',
      '/way/deep/x',
      '/docs/inner/secret.txt',
      '/named/p.txt',
    ]) {
      await expect(narrowed.stat(path(name))).rejects.toEqual(forbidden);
      await expect(narrowed.openFile(path(name))).rejects.toEqual(forbidden);
      await expect(narrowed.write(path(name), bytesOf('x'), { mode: 'either' })).rejects.toEqual(forbidden);
    }
    for (const name of ['/way/x', '/docs/inner/x', '/named/x']) {
      await expect(narrowed.createFolder(path(name))).rejects.toEqual(forbidden);
      await expect(narrowed.move(path('/docs/in.txt'), path(name), once)).rejects.toEqual(forbidden);
      await expect(narrowed.copy(path('/docs/in.txt'), path(name), once)).rejects.toEqual(forbidden);
    }
    for (const name of ['/way/secret.txt', '/way/deep'])
      await expect(narrowed.remove(path(name))).rejects.toEqual(forbidden);
    expect(await namesIn(narrowed, '/')).toEqual(['docs', 'pub']);
    expect((await narrowed.list(path('/'))).folderCount).toBe(2);
    expect(await namesIn(narrowed, '/docs')).toEqual(['in.txt']);
    expect(await treeOf(narrowed)).toEqual({
      '/docs/': '',
      '/docs/in.txt': 'in',
      '/pub/': '',
      '/pub/p.txt': 'p',
    });
    await expect(narrowed.copy(path('/docs'), path('/copy'), once)).rejects.toEqual(forbidden);
    expect(fs.readdirSync(root).toSorted()).toEqual(['docs', 'file', 'named', 'private', 'pub', 'way']);
    await storage.close();
  });

  test('rules apply below a link to a folder', async () => {
    const { storage, root } = await disks.open({ files });
    fs.symlinkSync('private', join(root, 'way'));
    const narrowed = narrow(storage, { allows: denying(['/private/deep']) });
    expect(await namesIn(narrowed, '/way')).toEqual(['secret.txt']);
    expect(await treeOf(narrowed, '/way')).toEqual({ '/way/secret.txt': 's' });
    const inner = await narrowed.within(path('/way'));
    expect(await namesIn(inner, '/')).toEqual(['secret.txt']);
    await expect(inner.stat(path('/deep'))).rejects.toEqual(forbidden);
    await expect(narrowed.copy(path('/way'), path('/copy'), once)).rejects.toEqual(forbidden);
    await inner.close();
    await storage.close();
  });
});

describe('hidden names', () => {
  const files = { '/.dot/in.txt': 'in', '/.env': 'e', '/a.txt': 'a', '/docs/.keep': '', '/docs/b.txt': 'b' };

  test('hidden names are refused and not listed, but entries in a hidden folder are reached by their path', async () => {
    const storage = await openMemoryStorage(files);
    const narrowed = narrow(storage, { hideDotfiles: true });
    expect(await namesIn(narrowed, '/')).toEqual(['docs', 'a.txt']);
    expect(await treeOf(narrowed)).toEqual({ '/a.txt': 'a', '/docs/': '', '/docs/b.txt': 'b' });
    for (const name of ['/.env', '/.dot', '/.new']) {
      await expect(narrowed.stat(path(name))).rejects.toEqual(forbidden);
      await expect(narrowed.write(path(name), bytesOf('x'), { mode: 'either' })).rejects.toEqual(forbidden);
      await expect(narrowed.createFolder(path(name))).rejects.toEqual(forbidden);
      await expect(narrowed.move(path('/a.txt'), path(name), once)).rejects.toEqual(forbidden);
    }
    expect(await readText(narrowed, '/.dot/in.txt')).toBe('in');
    await expect(narrowed.createFolder(path('/.new/x'))).rejects.toEqual(forbidden);
    await expect(
      narrowed.write(path('/.new/x'), bytesOf(''), { mode: 'create', createParents: true }),
    ).rejects.toEqual(forbidden);
    await narrowed.write(path('/.dot/x'), bytesOf('x'), { mode: 'create', createParents: true });
  });

  test('hidden names are copied and removed with their folder', async () => {
    const narrowed = narrow(await openMemoryStorage(files), { hideDotfiles: true, allowsEverything: true });
    await narrowed.copy(path('/docs'), path('/copy'), once);
    await narrowed.remove(path('/docs'));
    expect(await readText(narrowed, '/copy/b.txt')).toBe('b');
  });
});

describe('permissions that are lost during an operation', () => {
  /** A storage whose access becomes `later` when it is refreshed. */
  const losing = (storage: Storage, later: Partial<Access>): Storage => {
    let now: Partial<Access> = {};
    const access: Access = {
      allows: (checked) => now.allows?.(checked) ?? true,
      get allowsEverything() {
        return now.allows === undefined;
      },
      hideDotfiles: false,
      get can() {
        return now.can ?? all;
      },
      refresh: async () => {
        now = later;
      },
    };
    return narrowTo(storage, access);
  };
  const acts: [string, (storage: Storage) => Promise<unknown>, PermissionName][] = [
    ['a new file', (storage) => storage.write(path('/new.txt'), bytesOf('x'), { mode: 'create' }), 'create'],
    ['a save', (storage) => storage.write(path('/a.txt'), bytesOf('x'), { mode: 'replace' }), 'modify'],
    ['a copy of a file', (storage) => storage.copy(path('/a.txt'), path('/new.txt'), once), 'create'],
    ['a copy of a folder', (storage) => storage.copy(path('/docs'), path('/new'), once), 'create'],
  ];
  for (const [act, run, permission] of acts) {
    test(`${act} is not published without the permission`, async () => {
      const { storage: disk } = await disks.open({ files: { '/a.txt': 'old', '/docs/b.txt': 'b' } });
      const before = await treeOf(disk);
      const without = only(...permissionNames.filter((name) => name !== permission));
      await expect(run(losing(disk, { can: without }))).rejects.toEqual(forbidden);
      expect(await treeOf(disk)).toEqual(before);
    });
    test(`${act} is not published where a rule denies it by then`, async () => {
      const { storage: disk } = await disks.open({ files: { '/a.txt': 'old', '/docs/b.txt': 'b' } });
      const before = await treeOf(disk);
      const rules = { allows: denying(['/new.txt', '/new', '/a.txt']) };
      await expect(run(losing(disk, rules))).rejects.toEqual(forbidden);
      expect(await treeOf(disk)).toEqual(before);
    });
  }
});
