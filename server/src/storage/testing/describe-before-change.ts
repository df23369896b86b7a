import { describe, expect, test } from 'vitest';
import type { Storage } from '../storage.ts';
import { bytesOf, type OpenStorage, over, path, refused, treeOf } from './storage-testing.ts';

type Change = (storage: Storage, beforeChange: () => Promise<void>) => Promise<unknown>;

const write =
  (to: string, mode: 'create' | 'replace' | 'either'): Change =>
  (storage, beforeChange) =>
    storage.write(path(to), bytesOf('new'), { mode, createParents: true, beforeChange });
const transfer =
  (verb: 'copy' | 'move', from: string, to: string): Change =>
  (storage, beforeChange) =>
    storage[verb](path(from), path(to), { ...over, createParents: true, beforeChange });
const remove =
  (from: string): Change =>
  (storage, beforeChange) =>
    storage.remove(path(from), { beforeChange });

const files = {
  '/a.txt': 'a',
  '/b.txt': 'b',
  '/docs/secret/s.txt': 's',
  '/docs/d.txt': 'd',
  '/open/o.txt': 'o',
};

/** The tests of `beforeChange`, which is awaited after all checks and before any change. */
export function describeBeforeChange(start: OpenStorage): void {
  describe('beforeChange', () => {
    test.each<[string, Change]>([
      ['new file', write('/new/folder/n.txt', 'either')],
      ['replaced file', write('/a.txt', 'replace')],
      ['copied file', transfer('copy', '/a.txt', '/new/folder/n.txt')],
      ['file moved over another', transfer('move', '/a.txt', '/b.txt')],
      ['copied folder', transfer('copy', '/docs', '/new/docs')],
      ['moved folder', transfer('move', '/docs', '/new/docs')],
      ['folder merged by a copy', transfer('copy', '/docs', '/open')],
      ['folder merged by a move', transfer('move', '/docs', '/open')],
      ['removed file', remove('/a.txt')],
      ['removed folder', remove('/docs')],
    ])('is called once, before anything is changed (%s)', async (_name, change) => {
      const storage = await start(files);
      const untouched = await treeOf(storage);
      const refusal = change(storage, () => Promise.reject(new Error('not today')));
      await expect(refusal).rejects.toThrow('not today');
      expect(await treeOf(storage)).toEqual(untouched);

      const seen: Record<string, string>[] = [];
      await change(storage, async () => void seen.push(await treeOf(storage)));
      expect(seen).toEqual([untouched]);
      expect(await treeOf(storage)).not.toEqual(untouched);
    });

    test.each<[string, Change, Parameters<typeof refused>[0]]>([
      ['creating an existing file', write('/a.txt', 'create'), 'already_exists'],
      ['replacing a missing file', write('/none.txt', 'replace'), 'not_found'],
      ['writing a file below a file', write('/a.txt/x', 'either'), 'not_a_folder'],
      ['copying a file over a folder', transfer('copy', '/a.txt', '/docs'), 'already_exists'],
      ['moving a missing source', transfer('move', '/none', '/new/x'), 'not_found'],
      ['moving a folder into itself', transfer('move', '/docs', '/docs/x/y'), 'moves_into_itself'],
      ['removing a missing entry', remove('/none'), 'not_found'],
      ['removing the root', remove('/'), 'root_is_protected'],
    ])('is not called for %s', async (_name, change, code) => {
      const storage = await start(files);
      const untouched = await treeOf(storage);
      let isCalled = false;
      const work = change(storage, async () => {
        isCalled = true;
      });
      await expect(work).rejects.toEqual(refused(code));
      expect(isCalled).toBe(false);
      expect(await treeOf(storage)).toEqual(untouched);
    });

    test.each<[string, Change]>([
      ['copy', transfer('copy', '/docs', '/new/docs')],
      ['move', transfer('move', '/docs', '/new/docs')],
      ['merge', transfer('copy', '/docs', '/open')],
      ['removal', remove('/docs')],
      ['copy to a denied path', transfer('copy', '/open', '/docs/secret/a/b')],
      ['file in a denied new folder', write('/docs/secret-too/x/n.txt', 'either')],
    ])(
      'is not called, and nothing is changed, when the guard denies an entry (%s)',
      async (_name, change) => {
        const storage = await start(files);
        const untouched = await treeOf(storage);
        const guarded = storage.guarded((checked) => {
          if (checked.includes('/secret')) throw new Error('denied');
        });
        let isCalled = false;
        const work = change(guarded, async () => {
          isCalled = true;
        });
        await expect(work).rejects.toThrow('denied');
        expect(isCalled).toBe(false);
        expect(await treeOf(storage)).toEqual(untouched);
      },
    );
  });
}
