import { describe, expect, test } from 'vitest';
import { bytesOf, once, type OpenStorage, path, refused, treeOf } from './storage-testing.ts';

/** The tests of the name that is reserved for the trash. */
export function describeReservedNames(start: OpenStorage): void {
  describe('a reserved name', () => {
    const spellings = [
      '.filestead-trash',
      '.Filestead-TRASH',
      '.file\u017ftead-tra\u017fh',
      '.filestead\u200b-trash',
      '\u200d.filestead-trash',
      '.filestead-trash. ',
    ];

    test.each(spellings)('is hidden in the spelling %j', async (name) => {
      const storage = await start({ [`/${name}/kept.txt`]: 'kept', '/a.txt': 'a' });
      expect(await storage.stat(path(`/${name}`))).toBeNull();
      expect(await storage.stat(path(`/${name}/kept.txt`))).toBeNull();
      expect((await storage.list(path('/'))).names).toEqual(['a.txt']);
      expect(await treeOf(storage)).toEqual({ '/a.txt': 'a' });
      await expect(storage.list(path(`/${name}`))).rejects.toEqual(refused('not_found'));
      await expect(storage.openFile(path(`/${name}/kept.txt`))).rejects.toEqual(refused('not_found'));
      await expect(storage.remove(path(`/${name}`))).rejects.toEqual(refused('not_found'));
      await expect(storage.move(path(`/${name}`), path('/b'), once)).rejects.toEqual(refused('not_found'));
      await expect(storage.within(path(`/${name}`))).rejects.toEqual(refused('not_found'));
      const found = storage.find(path('/'), {
        pattern: { terms: ['kept'], isCaseSensitive: false, media: [], extensions: [] },
      });
      for await (const entries of found) expect(entries).toEqual([]);
    });

    test.each(spellings)('cannot be given to a new entry in the spelling %j', async (name) => {
      const storage = await start({ '/a.txt': 'a', '/d/': '' });
      for (const newName of [`/${name}`, `/d/${name}`, `/${name}/below/deeper`]) {
        const to = path(newName);
        await expect(storage.createFolder(to)).rejects.toEqual(refused('forbidden'));
        const write = storage.write(to, bytesOf('x'), { mode: 'either', createParents: true });
        await expect(write).rejects.toEqual(refused('forbidden'));
        const options = { overwrite: true, createParents: true };
        await expect(storage.copy(path('/a.txt'), to, options)).rejects.toEqual(refused('forbidden'));
        await expect(storage.move(path('/d'), to, options)).rejects.toThrow();
        await expect(storage.move(path('/a.txt'), to, options)).rejects.toEqual(refused('forbidden'));
      }
      expect(await treeOf(storage)).toEqual({ '/a.txt': 'a', '/d/': '' });
    });

    test.each(['.filestead-trashes', '.filestead', 'filestead-trash', '.Trash-1000', '.filestead-trash.txt'])(
      'does not include the similar name %s',
      async (name) => {
        const storage = await start();
        await storage.createFolder(path(`/${name}`));
        expect((await storage.list(path('/'))).names).toEqual([name]);
      },
    );
  });
}
