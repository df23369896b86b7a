import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, expect, test, vi } from 'vitest';
import { isApiError } from '../../../api/call.ts';
import { measureFolder, type TreeSize } from './measure-folder.ts';

afterEach(() => vi.unstubAllGlobals());

const line = (name: string, size: number, isDir = false): string =>
  `${JSON.stringify({ path: `/a/${name}`, name, size, modified: '2026-01-01T00:00:00Z', isDir })}\n`;

function stubListing(chunks: string[], { isTruncated = false } = {}): void {
  vi.stubGlobal('fetch', async () => {
    const encoder = new TextEncoder();
    const remaining = [...chunks];
    return new Response(
      new ReadableStream({
        pull(controller) {
          const chunk = remaining.shift();
          if (chunk !== undefined) controller.enqueue(encoder.encode(chunk));
          else if (isTruncated) controller.error(new TypeError('broken'));
          else controller.close();
        },
      }),
    );
  });
}
const measure = (onProgress: (treeSize: TreeSize) => void = () => undefined) =>
  measureFolder(virtualPath('/a'), { signal: new AbortController().signal, onProgress });

test('sums everything below a folder, also from split lines', async () => {
  const all = line('sub', 4096, true) + line('sub/one', 1000) + line('two', 24);
  stubListing([all.slice(0, 90), all.slice(90)]);
  const onProgress = vi.fn();
  expect(await measure(onProgress)).toEqual({ bytes: 1024, files: 2, folders: 1 });
  expect(onProgress).toHaveBeenCalled();
});

test('measures an empty folder as 0 bytes', async () => {
  stubListing([]);
  expect(await measure()).toEqual({ bytes: 0, files: 0, folders: 0 });
});

test('rejects a truncated list', async () => {
  stubListing([line('one', 1)], { isTruncated: true });
  await expect(measure()).rejects.toSatisfy((error: unknown) => isApiError(error, 'no_connection'));
});
