import { describe, expect, test } from 'vitest';
import { AppError } from '../../errors.ts';
import {
  bytesOf,
  namesIn,
  once,
  type OpenStorage,
  over,
  path,
  rawName,
  readText,
  refused,
  treeOf,
} from './storage-testing.ts';

/** Names whose bytes are not UTF-8, and the one character that is used for escapes. */
const names = {
  latin1: rawName('caf', 0xe9, '.txt'),
  noCharacter: rawName(0xff, 0xfe),
  overlongSlash: rawName('a', 0xc0, 0xaf, 'b'),
  surrogate: rawName(0xed, 0xa0, 0x80),
  cutShort: rawName('x', 0xe2, 0x82),
  escapeCharacter: rawName('\u{10FEE9}'),
};

/** The tests of names that are not UTF-8 (`raw-names.ts` of the contract) that every storage has to pass. */
export function describeRawNames(start: OpenStorage): void {
  describe('names that are not UTF-8', () => {
    const files = Object.fromEntries(Object.entries(names).map(([label, name]) => [`/docs/${name}`, label]));
    const folder = rawName('f', 0xfc, 'r');

    test('lists, walks and finds entries with such names', async () => {
      const storage = await start({ ...files, '/docs/\uFFFD': 'character', '/docs/z': 'z' });
      expect((await namesIn(storage, '/docs')).toSorted()).toEqual(
        [...Object.values(names), '\uFFFD', 'z'].toSorted(),
      );
      expect(await treeOf(storage)).toEqual({
        ...files,
        '/docs/': '',
        '/docs/\uFFFD': 'character',
        '/docs/z': 'z',
      });
      const pattern = {
        terms: [names.latin1.slice(3)],
        isCaseSensitive: false,
        media: [],
        extensions: [],
      };
      const found = [];
      for await (const entries of storage.find(path('/'), { pattern })) found.push(...entries);
      expect(found).toEqual([{ path: `/docs/${names.latin1}`, isFolder: false }]);
    });

    test.each(Object.values(names))(
      'reads, replaces, renames, copies and removes a file with the name %j',
      async (name) => {
        const storage = await start({ ...files, '/other': '' });
        const file = path(`/docs/${name}`);
        expect(await storage.stat(file)).toMatchObject({ name, kind: 'file' });
        await storage.write(file, bytesOf('new'), { mode: 'replace' });
        expect(await readText(storage, file)).toBe('new');
        await storage.copy(file, path(`/${name}`), once);
        await storage.move(file, path('/docs/repaired.txt'), once);
        expect(await storage.stat(file)).toBeNull();
        expect(await readText(storage, '/docs/repaired.txt')).toBe('new');
        await expect(storage.move(path('/other'), path(`/${name}`), once)).rejects.toEqual(
          refused('already_exists'),
        );
        await storage.move(path('/other'), path(`/${name}`), over);
        expect(await readText(storage, `/${name}`)).toBe('');
        await storage.remove(path(`/${name}`));
        expect(await namesIn(storage, '/')).toEqual(['docs']);
        expect(await namesIn(storage, '/docs')).toHaveLength(Object.keys(names).length);
      },
    );

    test('creates files, folders and partial files with such names', async () => {
      const storage = await start();
      await storage.createFolder(path(`/${folder}/${names.noCharacter}`));
      const file = path(`/${folder}/${names.latin1}`);
      const partial = storage.partial(file, { name: `.filestead-${'a'.repeat(32)}.part`, mode: 'create' });
      await partial.create({});
      await partial.append(bytesOf('part'), { from: 0 });
      await partial.publish(4, {});
      await expect(storage.write(file, bytesOf('x'), { mode: 'create' })).rejects.toEqual(
        refused('already_exists'),
      );
      expect(await treeOf(storage)).toEqual({
        [`/${folder}/`]: '',
        [`/${folder}/${names.noCharacter}/`]: '',
        [file]: 'part',
      });
    });

    test('resolves, moves, merges, copies and removes folders with such names and their contents', async () => {
      const inner = { [`${folder}/${names.latin1}`]: 'a', [`${folder}/sub${names.overlongSlash}/b`]: 'b' };
      const below = (top: string): Record<string, string> => ({
        ...Object.fromEntries(Object.entries(inner).map(([name, text]) => [`${top}/${name}`, text])),
        [`${top}/${folder}/`]: '',
        [`${top}/${folder}/sub${names.overlongSlash}/`]: '',
      });
      const storage = await start({
        ...Object.fromEntries(Object.entries(inner).map(([name, text]) => [`/from/${name}`, text])),
        [`/to/${folder}/${names.latin1}`]: 'old',
        [`/to/${folder}/kept`]: 'kept',
      });
      expect(await readText(storage, `/from/${folder}/${names.latin1}`)).toBe('a');
      const scope = await storage.within(path(`/from/${folder}`));
      expect(await readText(scope, `/${names.latin1}`)).toBe('a');
      await scope.close();
      await storage.copy(path('/from'), path('/copy'), once);
      expect(await treeOf(storage, '/copy')).toEqual(below('/copy'));
      await storage.copy(path('/from'), path('/to'), over);
      await storage.move(path('/from'), path('/to'), over);
      expect(await storage.stat(path('/from'))).toBeNull();
      expect(await treeOf(storage, '/to')).toEqual({ ...below('/to'), [`/to/${folder}/kept`]: 'kept' });
      await storage.move(path(`/copy/${folder}`), path('/copy/repaired'), once);
      await storage.remove(path('/to'));
      expect(Object.keys(await treeOf(storage)).toSorted()).toEqual(
        [
          '/copy/',
          '/copy/repaired/',
          `/copy/repaired/${names.latin1}`,
          `/copy/repaired/sub${names.overlongSlash}/`,
          `/copy/repaired/sub${names.overlongSlash}/b`,
        ].toSorted(),
      );
    });

    test('does not merge a file and a folder with such a name', async () => {
      const storage = await start({
        [`/from/${names.latin1}`]: 'a file',
        [`/to/${names.latin1}/`]: '',
      });
      for (const act of ['move', 'copy'] as const) {
        await expect(storage[act](path('/from'), path('/to'), over)).rejects.toEqual(
          refused('already_exists'),
        );
      }
      expect(await readText(storage, `/from/${names.latin1}`)).toBe('a file');
    });

    test('passes such names to the guard in their only spelling', async () => {
      const storage = await start(files);
      const checked: string[] = [];
      const guarded = storage.guarded((real) => {
        checked.push(real);
        if (real === `/docs/${names.latin1}`) throw new AppError('forbidden');
      });
      await expect(guarded.openFile(path(`/docs/${names.latin1}`))).rejects.toEqual(refused('forbidden'));
      await expect(guarded.remove(path('/docs'))).rejects.toEqual(refused('forbidden'));
      expect(checked).toContain(`/docs/${names.latin1}`);
      expect(await treeOf(storage)).toEqual({ ...files, '/docs/': '' });
    });
  });
}
