import { describe, expect, test } from 'vitest';
import { newTemporaryName } from '../disk/paths/temporary-names.ts';
import type { KeepCause, KeepOptions, KeptEntry } from '../kept/kept-entries.ts';
import type { Storage } from '../storage.ts';
import { causeOf, recordsOf } from './kept-testing.ts';
import { bytesOf, type OpenStorage, path, readText } from './storage-testing.ts';

/** The tests of the former states of replaced files that every storage has to pass. */
export function describeReplaced(start: OpenStorage): void {
  describe('a kept entry of a replaced file', () => {
    const acts: [string, KeepCause['act'], (storage: Storage, options: KeepOptions) => Promise<unknown>][] = [
      [
        'a save',
        'save',
        (storage, options) => storage.write(path('/a.txt'), bytesOf('new'), { mode: 'replace', ...options }),
      ],
      [
        'an upload in parts',
        'upload',
        async (storage, options) => {
          const file = storage.partial(path('/a.txt'), { name: newTemporaryName(), mode: 'either' });
          await file.create({});
          await file.append(bytesOf('new'), { from: 0 });
          await file.publish(3, options);
        },
      ],
      [
        'a copy',
        'copy',
        (storage, options) =>
          storage.copy(path('/source/a.txt'), path('/a.txt'), { overwrite: true, ...options }),
      ],
      [
        'a move',
        'move',
        (storage, options) =>
          storage.move(path('/source/a.txt'), path('/a.txt'), { overwrite: true, ...options }),
      ],
    ];
    const before = { '/a.txt': 'old', '/source/a.txt': 'new' };

    test.each(acts)('has its old content after %s', async (_name, act, replace) => {
      const storage = await start(before);
      const notified: KeptEntry[] = [];
      await replace(storage, { keep: causeOf(act), onKept: (entries) => notified.push(...entries) });
      expect(await readText(storage, '/a.txt')).toBe('new');
      expect(notified).toMatchObject([{ place: '/a.txt', kind: 'file', size: 3, cause: { act } }]);
      const kept = await storage.kept(notified[0] as KeptEntry);
      expect(await readText(kept, '/a.txt')).toBe('old');
      await kept.close();
      expect(await recordsOf(storage)).toMatchObject([{ kind: 'keep', entry: notified[0] }]);
    });

    test.each(acts)('does not exist without a cause after %s', async (_name, _act, replace) => {
      const storage = await start(before);
      await replace(storage, {});
      expect(await readText(storage, '/a.txt')).toBe('new');
      expect(await recordsOf(storage)).toEqual([]);
    });

    test.each(['copy', 'move'] as const)('is kept for every file that a merge replaces: %s', async (act) => {
      const storage = await start({
        '/from/x.txt': 'new x',
        '/from/in/y.txt': 'new y',
        '/from/z.txt': 'z',
        '/to/x.txt': 'old x',
        '/to/in/y.txt': 'old y',
      });
      const notified: KeptEntry[] = [];
      const options = { overwrite: true, keep: causeOf(act) };
      await storage[act](path('/from'), path('/to'), {
        ...options,
        onKept: (kept) => notified.push(...kept),
      });
      expect(notified.map(({ place }) => place).toSorted()).toEqual(['/to/in/y.txt', '/to/x.txt']);
      expect(await readText(storage, '/to/in/y.txt')).toBe('new y');
    });

    test('does not exist when nothing was replaced', async () => {
      const storage = await start(before);
      const options = { mode: 'either', keep: causeOf('upload') } as const;
      await storage.write(path('/b.txt'), bytesOf('b'), options);
      expect(await recordsOf(storage)).toEqual([]);
    });
  });
}
