import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, expect, test, vi } from 'vitest';
import { isApiError } from '../../../api/call.ts';
import { measureFolder, type FolderExtent } from './measure-folder.ts';

afterEach(() => vi.unstubAllGlobals());

const line = (name: string, size: number, isDir = false): string =>
  `${JSON.stringify({ path: `/a/${name}`, name, size, modified: '2026-01-01T00:00:00Z', isDir })}\n`;

function answer(pieces: string[], { breaksOff = false } = {}): void {
  vi.stubGlobal('fetch', async () => {
    const encoder = new TextEncoder();
    const waiting = [...pieces];
    return new Response(
      new ReadableStream({
        pull(controller) {
          const piece = waiting.shift();
          if (piece !== undefined) controller.enqueue(encoder.encode(piece));
          else if (breaksOff) controller.error(new TypeError('broken'));
          else controller.close();
        },
      }),
    );
  });
}
const measure = (onProgress: (extent: FolderExtent) => void = () => undefined) =>
  measureFolder(virtualPath('/a'), { signal: new AbortController().signal, onProgress });

test('everything below is added up, also when lines come in pieces', async () => {
  const all = line('sub', 4096, true) + line('sub/one', 1000) + line('two', 24);
  answer([all.slice(0, 90), all.slice(90)]);
  const onProgress = vi.fn();
  expect(await measure(onProgress)).toEqual({ bytes: 1024, files: 2, folders: 1 });
  expect(onProgress).toHaveBeenCalled();
});

test('an empty folder holds nothing', async () => {
  answer([]);
  expect(await measure()).toEqual({ bytes: 0, files: 0, folders: 0 });
});

test('a list that breaks off is no size', async () => {
  answer([line('one', 1)], { breaksOff: true });
  await expect(measure()).rejects.toSatisfy((error: unknown) => isApiError(error, 'no_connection'));
});
