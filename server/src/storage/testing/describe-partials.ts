import { describe, expect, test, vi } from 'vitest';
import { newTemporaryName } from '../disk/paths/temporary-names.ts';
import type { PartialFile, Storage } from '../storage.ts';
import {
  breaksAfter,
  bytesOf,
  namesIn,
  type OpenStorage,
  path,
  readText,
  refused,
  treeOf,
} from './storage-testing.ts';

const begin = async (
  storage: Storage,
  file: string,
  mode: 'create' | 'either' = 'create',
): Promise<PartialFile> => {
  const partial = storage.partial(path(file), { name: newTemporaryName(), mode });
  await partial.create({ createParents: true });
  return partial;
};

/** The tests of partial files that every storage has to pass. */
export function describePartials(start: OpenStorage): void {
  describe('partial', () => {
    test('assembles a file from parts and hides it until it is published', async () => {
      const storage = await start();
      const partial = await begin(storage, '/docs/a.txt');
      await partial.append(bytesOf('one ', '', 'two '), { from: 0 });
      expect(await partial.size()).toBe(8);
      await partial.append(bytesOf('three'), { from: 8 });
      expect(await treeOf(storage)).toEqual({ '/docs/': '' });
      expect(await storage.stat(path('/docs/a.txt'))).toBeNull();
      const entry = await partial.publish(13, {});
      expect(entry).toMatchObject({ name: 'a.txt', kind: 'file', size: 13 });
      expect(await treeOf(storage)).toEqual({ '/docs/': '', '/docs/a.txt': 'one two three' });
      expect(await partial.size()).toBeNull();
    });

    test('keeps the bytes received before a part failed, and can continue from any of them', async () => {
      const storage = await start();
      const partial = await begin(storage, '/a.txt');
      await expect(partial.append(breaksAfter('hel'), { from: 0 })).rejects.toThrow('the sender left');
      expect(await partial.size()).toBe(3);
      await partial.append(bytesOf('y there'), { from: 2 });
      await expect(partial.append(bytesOf('x'), { from: 50 })).rejects.toEqual(refused('not_found'));
      await partial.publish(9, {});
      expect(await readText(storage, '/a.txt')).toBe('hey there');
    });

    test('reads a range of the bytes that are stored so far', async () => {
      const storage = await start();
      const partial = await begin(storage, '/docs/a.txt');
      await partial.append(bytesOf('one ', 'two '), { from: 0 });
      const text = async (first: number, end: number) =>
        Buffer.from(await partial.read(first, end)).toString();
      expect(await text(2, 6)).toBe('e tw');
      expect(await text(6, 100)).toBe('o ');
      expect(await text(8, 8)).toBe('');
      expect(await text(50, 60)).toBe('');
      await partial.discard();
      await expect(partial.read(0, 1)).rejects.toEqual(refused('not_found'));
    });

    test('moves an unfinished file beside another target with all its bytes', async () => {
      const storage = await start();
      const options = { name: newTemporaryName(), mode: 'create' } as const;
      const partial = storage.partial(path('/docs/a.txt'), options);
      await partial.create({ createParents: true });
      await partial.append(bytesOf('all'), { from: 0 });
      await partial.moveTo(path('/other/deep/b.txt'));
      expect(await partial.size()).toBeNull();
      const moved = storage.partial(path('/other/deep/b.txt'), options);
      expect(await moved.size()).toBe(3);
      await moved.publish(3, {});
      expect(await readText(storage, '/other/deep/b.txt')).toBe('all');
      await expect(partial.moveTo(path('/c.txt'))).rejects.toEqual(refused('not_found'));
    });

    test('does not move an unfinished file beside an existing target', async () => {
      const storage = await start();
      const partial = await begin(storage, '/a.txt');
      await partial.append(bytesOf('all'), { from: 0 });
      await storage.write(path('/taken.txt'), bytesOf('there'), { mode: 'create' });
      await expect(partial.moveTo(path('/taken.txt'))).rejects.toEqual(refused('already_exists'));
      expect(await partial.size()).toBe(3);
      expect(await readText(storage, '/taken.txt')).toBe('there');
    });

    test('continues through another handle of the same name', async () => {
      const storage = await start();
      const options = { name: newTemporaryName(), mode: 'create' } as const;
      await storage.partial(path('/a.txt'), options).create({});
      await storage.partial(path('/a.txt'), options).append(bytesOf('a'), { from: 0 });
      await storage.partial(path('/a.txt'), options).append(bytesOf('b'), { from: 1 });
      await storage.partial(path('/a.txt'), options).publish(2, {});
      expect(await readText(storage, '/a.txt')).toBe('ab');
    });

    test('publishes a file whose last part was announced as such, and keeps it when that is refused', async () => {
      const storage = await start();
      const partial = await begin(storage, '/a.txt');
      await partial.append(bytesOf('one '), { from: 0 });
      await partial.append(bytesOf('two'), { from: 4, isLast: true });
      const refuse = (): never => {
        throw new Error('no');
      };
      await expect(partial.publish(7, { confirm: refuse })).rejects.toThrow('no');
      expect(await partial.size()).toBe(7);
      await partial.publish(7, {});
      expect(await readText(storage, '/a.txt')).toBe('one two');
    });

    test('rejects an existing target, both when it is created and when it is published', async () => {
      const storage = await start({ '/a.txt': 'old', '/dir/': '' });
      await expect(begin(storage, '/a.txt')).rejects.toEqual(refused('already_exists'));
      await expect(begin(storage, '/dir', 'either')).rejects.toEqual(refused('is_folder'));
      await expect(begin(storage, '/a.txt/below')).rejects.toEqual(refused('not_a_folder'));
      const partial = await begin(storage, '/new.txt');
      await partial.append(bytesOf('mine'), { from: 0 });
      await storage.write(path('/new.txt'), bytesOf('theirs'), { mode: 'create' });
      await expect(partial.publish(4, {})).rejects.toEqual(refused('already_exists'));
      expect(await readText(storage, '/new.txt')).toBe('theirs');
      expect(await partial.size()).toBe(4);
      await partial.discard();
      expect(await partial.size()).toBeNull();
      expect(await treeOf(storage)).toEqual({ '/a.txt': 'old', '/dir/': '', '/new.txt': 'theirs' });
    });

    test('keeps the replaced file until the new one is complete', async () => {
      const storage = await start({ '/a.txt': 'old' });
      const partial = await begin(storage, '/a.txt', 'either');
      await partial.append(bytesOf('new and more'), { from: 0 });
      expect(await readText(storage, '/a.txt')).toBe('old');
      await expect(partial.publish(99, {})).rejects.toEqual(refused('not_found'));
      expect(await readText(storage, '/a.txt')).toBe('old');
      await partial.publish(3, {});
      expect(await readText(storage, '/a.txt')).toBe('new');
    });

    test('calls confirm and beforeChange, which can refuse', async () => {
      const storage = await start({ '/a.txt': 'old' });
      const refuse = (): never => {
        throw new Error('no');
      };
      const partial = storage.partial(path('/a.txt'), { name: newTemporaryName(), mode: 'either' });
      await expect(partial.create({ confirm: refuse })).rejects.toThrow('no');
      await partial.create({});
      await partial.append(bytesOf('new'), { from: 0 });
      await expect(partial.publish(3, { confirm: refuse })).rejects.toThrow('no');
      const beforeChange = vi.fn(async () => undefined);
      await expect(
        partial.publish(3, { beforeChange: () => Promise.reject(new Error('no')) }),
      ).rejects.toThrow('no');
      expect(await readText(storage, '/a.txt')).toBe('old');
      await partial.publish(3, { beforeChange });
      expect(beforeChange).toHaveBeenCalledOnce();
      expect(await readText(storage, '/a.txt')).toBe('new');
    });

    test('is removed with its folder and can still be discarded then', async () => {
      const storage = await start({ '/dir/other.txt': 'x' });
      const partial = await begin(storage, '/dir/a.txt');
      await partial.append(bytesOf('a'), { from: 0 });
      expect(await namesIn(storage, '/dir')).toEqual(['other.txt']);
      await storage.remove(path('/dir'));
      expect(await partial.size()).toBeNull();
      await expect(partial.append(bytesOf('b'), { from: 1 })).rejects.toEqual(refused('not_found'));
      await expect(partial.publish(1, {})).rejects.toEqual(refused('not_found'));
      await partial.discard();
    });

    test('aborts a part while the sender is silent', async () => {
      const storage = await start();
      const partial = await begin(storage, '/a.txt');
      const controller = new AbortController();
      async function* silent(): AsyncGenerator<Uint8Array> {
        yield new TextEncoder().encode('abc');
        controller.abort(new Error('aborted'));
        await new Promise(() => undefined);
      }
      await expect(partial.append(silent(), { from: 0, signal: controller.signal })).rejects.toThrow(
        'aborted',
      );
      expect(await partial.size()).toBe(3);
    });

    test('rejects a name that is not a temporary name', async () => {
      const storage = await start({ '/a.txt': 'a' });
      for (const name of ['a.txt', '../a.txt', '', '.filestead-x.part'])
        expect(() => storage.partial(path('/b.txt'), { name, mode: 'create' })).toThrow('forbidden');
    });

    test('calls the guard when it is created, for every part and when it is published', async () => {
      const storage = await start({ '/dir/x': '' });
      const { partial, deny } = await (async () => {
        let isDenied = false;
        const guarded = storage.guarded((checked) => {
          if (isDenied && checked === '/dir/a.txt') throw new Error('denied');
        });
        return {
          partial: await begin(guarded, '/dir/a.txt'),
          deny: (value: boolean) => void (isDenied = value),
        };
      })();
      deny(true);
      await expect(partial.append(bytesOf('a'), { from: 0 })).rejects.toThrow('denied');
      deny(false);
      await partial.append(bytesOf('a'), { from: 0 });
      deny(true);
      await expect(partial.publish(1, {})).rejects.toThrow('denied');
      deny(false);
      await partial.publish(1, {});
      expect(await readText(storage, '/dir/a.txt')).toBe('a');
    });
  });
}
