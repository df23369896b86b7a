import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { describe, expect, test } from 'vitest';
import { unpack } from '../../../test/fixtures/archive-reading.ts';
import { AppError } from '../../errors.ts';
import { openMemoryStorage, openMinimalBackend } from '../memory/memory-storage.ts';
import type { PackOptions, Storage } from '../storage.ts';
import { bytesOf, namesIn, over, readText, refused, treeOf } from '../testing/storage-testing.ts';
import { openStorage } from './open-storage.ts';
import type { StorageBackend } from './storage-core.ts';

const path = virtualPath;

async function packed(
  storage: Storage,
  members: Readonly<Record<string, string>>,
  options: PackOptions,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const named = Object.entries(members).map(([source, name]) => ({ path: path(source), name }));
  for await (const piece of storage.pack(named, options)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

/** The memory backend with some verbs replaced. */
const changed = (
  files: Record<string, string | Uint8Array>,
  change: (backend: StorageBackend) => Partial<StorageBackend>,
): Storage => {
  const backend = openMinimalBackend(files);
  return openStorage(Object.assign(backend, change(backend)));
};

describe('an archive packed by the defaults', () => {
  const large = 'x'.repeat(600_000);
  const files = {
    '/docs/a.txt': 'a',
    '/docs/sub/large.bin': large,
    '/docs/empty/': '',
    '/docs/secret/s.txt': 's',
    '/single.txt': 'single',
  };

  test.each(['tar', 'zip'] as const)('contains folders and files of any size (%s)', async (container) => {
    const storage = openStorage(openMinimalBackend(files));
    const archive = await packed(storage, { '/docs': 'docs', '/single.txt': 'single.txt' }, { container });
    const contents = unpack(archive, container);
    expect([...contents.keys()].toSorted()).toEqual([
      'docs',
      'docs/a.txt',
      'docs/empty',
      'docs/secret',
      'docs/secret/s.txt',
      'docs/sub',
      'docs/sub/large.bin',
      'single.txt',
    ]);
    expect(contents.get('docs/sub/large.bin')?.content).toBe(large);
    expect(contents.get('single.txt')?.content).toBe('single');
  });

  test('leaves out entries that the caller or a guard refuses, with their contents', async () => {
    const storage = openStorage(openMinimalBackend(files)).guarded((checked) => {
      if (checked === '/docs/secret') throw new AppError('forbidden');
    });
    const accept = (walked: string): boolean => walked !== '/docs/sub';
    const archive = await packed(storage, { '/docs': '' }, { container: 'tar', accept });
    expect([...unpack(archive, 'tar').keys()].toSorted()).toEqual(['a.txt', 'empty']);
    await expect(packed(storage, { '/docs/secret': 's' }, { container: 'tar' })).rejects.toEqual(
      refused('forbidden'),
    );
    await expect(packed(storage, { '/none': 'n' }, { container: 'tar' })).rejects.toEqual(
      refused('not_found'),
    );
  });

  test('gives entries different names when they would unpack to the same one', async () => {
    const storage = openStorage(openMinimalBackend({ '/a\\b': 'backslash', '/a_b': 'underscore' }));
    const archive = await packed(storage, { '/': '' }, { container: 'tar' });
    const texts = [...unpack(archive, 'tar').values()].map(({ content }) => content);
    expect(texts.toSorted()).toEqual(['backslash', 'underscore']);
  });

  test.each([1, 300_000])(
    'ends with an error when a file of %i bytes shrinks while it is read',
    async (size) => {
      const storage = changed({ '/a': 'a'.repeat(size) }, (backend) => {
        const openFile = backend.openFile.bind(backend);
        return {
          openFile: async (requested) => {
            const file = await openFile(requested);
            return { ...file, entry: { ...file.entry, size: size + 1 } };
          },
        };
      });
      await expect(packed(storage, { '/a': 'a' }, { container: 'zip' })).rejects.toThrow('changed');
    },
  );
});

describe('a backend', () => {
  test.each(['..', '.', '', 'a/b', '/etc', 'a\0b'])(
    'cannot lead out of a folder by listing the name %j',
    async (name) => {
      const storage = changed({ '/docs/a.txt': 'a' }, (backend) => {
        const list = backend.list.bind(backend);
        return {
          list: async (folder) => {
            const entries = await list(folder);
            return folder === '/docs' ? entries.flatMap((entry) => [entry, { ...entry, name }]) : entries;
          },
        };
      });
      expect(await namesIn(storage, '/docs')).toEqual(['a.txt']);
      expect(await treeOf(storage)).toEqual({ '/docs/': '', '/docs/a.txt': 'a' });
    },
  );

  test('keeps the old file, and nothing else, when a write cannot be published', async () => {
    const backend = openMinimalBackend({ '/a.txt': 'old' });
    const storage = openStorage(
      Object.assign(backend, { renameFile: () => Promise.reject(new AppError('storage_full')) }),
    );
    await expect(storage.write(path('/a.txt'), bytesOf('new'), { mode: 'either' })).rejects.toEqual(
      refused('storage_full'),
    );
    expect((await backend.list(path('/'))).map(({ name }) => name)).toEqual(['a.txt']);
    expect(await readText(storage, '/a.txt')).toBe('old');
  });

  test('copies permission bits and times of files and folders', async () => {
    const backend = openMinimalBackend({ '/from/a.sh': 'a' });
    const modifiedNs = 1_600_000_000_123_456_789n;
    await backend.setMetadata(path('/from/a.sh'), { mode: 0o750, modifiedNs });
    await backend.setMetadata(path('/from'), { mode: 0o700, modifiedNs });
    const storage = openStorage(backend);
    await storage.copy(path('/from'), path('/to'), { overwrite: false });
    expect(await storage.stat(path('/to'))).toMatchObject({ mode: 0o040_700, modifiedNs });
    expect(await storage.stat(path('/to/a.sh'))).toMatchObject({ mode: 0o100_750, modifiedNs });
  });
});

describe.each([
  ['with all abilities', openMemoryStorage],
  ['with the core only', async (files: Record<string, string>) => openStorage(openMinimalBackend(files))],
] as const)('a storage narrowed to a folder (%s)', (_name, open) => {
  test('changes nothing outside of the folder', async () => {
    const outside = { '/a.txt': 'outside', '/docs/b.txt': 'outside', '/users/bob/a.txt': 'bob' };
    const storage = await open({
      ...outside,
      '/users/alice/a.txt': 'a',
      '/users/alice/docs/b.txt': 'b',
      '/users/alice/old/sub/c.txt': 'c',
    });
    const alice = await storage.within(path('/users/alice'));
    await alice.write(path('/a.txt'), bytesOf('new'), { mode: 'replace' });
    await alice.copy(path('/a.txt'), path('/copy.txt'), over);
    await alice.copy(path('/docs'), path('/more'), over);
    await alice.move(path('/a.txt'), path('/moved.txt'), over);
    await alice.move(path('/docs'), path('/renamed'), over);
    await alice.createFolder(path('/new'));
    await alice.remove(path('/old'));
    const expected = {
      '/copy.txt': 'new',
      '/more/': '',
      '/more/b.txt': 'b',
      '/moved.txt': 'new',
      '/new/': '',
      '/renamed/': '',
      '/renamed/b.txt': 'b',
    };
    expect(await treeOf(alice)).toEqual(expected);
    const below = Object.entries(expected).map(([name, text]) => [`/users/alice${name}`, text]);
    expect(await treeOf(storage)).toEqual({
      ...outside,
      '/docs/': '',
      '/users/': '',
      '/users/alice/': '',
      '/users/bob/': '',
      ...Object.fromEntries(below),
    });
  });
});
