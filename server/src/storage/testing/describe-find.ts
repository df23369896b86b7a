import { describe, expect, test } from 'vitest';
import type { NamePattern } from '../listings/name-pattern.ts';
import type { FindOptions, Storage } from '../storage.ts';
import { type OpenStorage, path, refused } from './storage-testing.ts';

const anything: NamePattern = { terms: [], isCaseSensitive: false, media: [], extensions: [] };

async function found(
  storage: Storage,
  pattern: Partial<NamePattern>,
  folder = '/',
  options: Omit<FindOptions, 'pattern'> = {},
): Promise<string[]> {
  const paths: string[] = [];
  const search = storage.find(path(folder), { ...options, pattern: { ...anything, ...pattern } });
  for await (const entries of search) {
    for (const entry of entries) paths.push(entry.isFolder ? `${entry.path}/` : entry.path);
  }
  return paths;
}

/** The tests of `find` that every storage has to pass. */
export function describeFind(start: OpenStorage): void {
  describe('find', () => {
    test('returns entries depth first, names in byte order, without the folder itself', async () => {
      const storage = await start({
        '/b.txt': '',
        '/a/z.txt': '',
        '/a/B.txt': '',
        '/a/b/c.txt': '',
        '/a.txt': '',
        '/empty/': '',
        '/é': '',
        '/｡': '',
        '/😀': '',
      });
      expect(await found(storage, {})).toEqual([
        '/a/',
        '/a/B.txt',
        '/a/b/',
        '/a/b/c.txt',
        '/a/z.txt',
        '/a.txt',
        '/b.txt',
        '/empty/',
        '/é',
        '/｡',
        '/😀',
      ]);
      expect(await found(storage, {}, '/a')).toEqual(['/a/B.txt', '/a/b/', '/a/b/c.txt', '/a/z.txt']);
      expect(await found(storage, {}, '/empty')).toEqual([]);
    });

    test('matches terms against the last name, case-insensitively by default and in every Unicode form', async () => {
      const storage = await start({
        '/Trip/report.TXT': '',
        '/Trip/Report 2.txt': '',
        '/caf\u00e9.txt': '',
        '/cafe\u0301 2.txt': '',
      });
      expect(await found(storage, { terms: ['trip'] })).toEqual(['/Trip/']);
      expect(await found(storage, { terms: ['REPORT'] })).toEqual(['/Trip/Report 2.txt', '/Trip/report.TXT']);
      expect(await found(storage, { terms: ['report'], isCaseSensitive: true })).toEqual([
        '/Trip/report.TXT',
      ]);
      expect(await found(storage, { terms: ['t 2', 'nothing', 'ort.t'] })).toEqual([
        '/Trip/Report 2.txt',
        '/Trip/report.TXT',
      ]);
      expect((await found(storage, { terms: ['CAF\u00c9'] })).length).toBe(2);
      expect((await found(storage, { terms: ['cafe\u0301'] })).length).toBe(2);
      expect(await found(storage, { terms: ['.*'] })).toEqual([]);
    });

    test('matches types by extension, combined with at least one term', async () => {
      const storage = await start({
        '/a.jpg': '',
        '/b.PNG': '',
        '/c.pdf': '',
        '/d.PDF': '',
        '/e.mp4': '',
        '/f.mp3': '',
        '/g': '',
        '/h.jpg/': '',
      });
      expect(await found(storage, { media: ['image'] })).toEqual(['/a.jpg', '/b.PNG', '/h.jpg/']);
      expect(await found(storage, { extensions: ['pdf'] })).toEqual(['/c.pdf']);
      expect(await found(storage, { media: ['video', 'audio'], extensions: ['pdf'] })).toEqual([
        '/c.pdf',
        '/e.mp4',
        '/f.mp3',
      ]);
      expect(await found(storage, { media: ['image'], terms: ['b', 'c'] })).toEqual(['/b.PNG']);
    });

    test('finds everything in large and deep trees', async () => {
      const files: Record<string, string> = {};
      for (let i = 0; i < 5000; i++) files[`/many/${i}.txt`] = '';
      files[`${'/deep'.repeat(200)}/x`] = '';
      const storage = await start(files);
      expect((await found(storage, {}, '/many')).length).toBe(5000);
      expect((await found(storage, { terms: ['deep'] })).length).toBe(200);
      expect(await found(storage, { terms: ['x'], extensions: [] }, '/deep')).toEqual([
        `${'/deep'.repeat(200)}/x`,
      ]);
      expect(
        (await Promise.all([1, 2, 3, 4, 5].map(() => found(storage, {})))).map((all) => all.length),
      ).toEqual(Array.from({ length: 5 }, () => 5202));
    });

    test('skips entries that the caller or the guard refuses, with their contents', async () => {
      const storage = await start({ '/a/secret/s.txt': '', '/a/t.txt': '', '/b/u.txt': '', '/v.txt': '' });
      const accept = (walked: string): boolean => walked !== '/a';
      expect(await found(storage, {}, '/', { accept })).toEqual(['/b/', '/b/u.txt', '/v.txt']);
      expect(await found(storage, { terms: ['.txt'] }, '/', { accept })).toEqual(['/b/u.txt', '/v.txt']);
      const guarded = storage.guarded((checked) => {
        if (checked.startsWith('/a/secret')) throw new Error('denied');
      });
      // Without links `accept` covers the same paths; the guard is for the targets of links.
      const options = { accept: (walked: string) => !walked.startsWith('/a/secret') };
      expect(await found(guarded, { terms: ['.txt'] }, '/', options)).toEqual([
        '/a/t.txt',
        '/b/u.txt',
        '/v.txt',
      ]);
      await expect(found(guarded, {}, '/a/secret')).rejects.toThrow('denied');
    });

    test('stops when the loop is left and when the signal is aborted', async () => {
      const files: Record<string, string> = {};
      for (let i = 0; i < 10_000; i++) files[`/${i % 10}/${i}`] = '';
      const storage = await start(files);
      for await (const entries of storage.find(path('/'), { pattern: anything })) {
        expect(entries.length).toBeGreaterThan(0);
        break;
      }
      const controller = new AbortController();
      let count = 0;
      const search = async (): Promise<void> => {
        for await (const entries of storage.find(path('/'), {
          pattern: anything,
          signal: controller.signal,
        })) {
          count += entries.length;
          controller.abort(new Error('left'));
        }
      };
      await expect(search()).rejects.toThrow('left');
      expect(count).toBeLessThan(10_000);
      await expect(found(storage, {}, '/', { signal: controller.signal })).rejects.toThrow('left');
    });

    test('rejects a file and a missing folder', async () => {
      const storage = await start({ '/a.txt': '' });
      await expect(found(storage, {}, '/a.txt')).rejects.toEqual(refused('not_a_folder'));
      await expect(found(storage, {}, '/none')).rejects.toEqual(refused('not_found'));
    });
  });
}
