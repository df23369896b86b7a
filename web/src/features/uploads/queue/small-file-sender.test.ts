import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test, vi } from 'vitest';
import { ApiError } from '../../../api/api-error.ts';
import type { BatchFile } from '../../../api/uploads/upload-batch.ts';
import { SmallFileSender } from './small-file-sender.ts';

interface SentBatch {
  readonly files: readonly BatchFile[];
  readonly folderId: string | null;
  readonly signal: AbortSignal;
  readonly settle: (name: string, error?: ApiError) => void;
  readonly end: () => void;
  readonly fail: (error: unknown) => void;
}

/** A sender whose requests the test settles. */
function openSender() {
  const batches: SentBatch[] = [];
  const alone: string[] = [];
  const sender = new SmallFileSender({
    sendOne: async ({ path }) => void alone.push(path),
    sendBatch: (files, { folderId, signal, onResult }) =>
      new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        batches.push({
          files,
          folderId,
          signal,
          settle: (name, error = undefined) =>
            onResult(
              files.findIndex(({ path }) => path === `/${name}`),
              error ?? null,
            ),
          end: resolve,
          fail: reject,
        });
      }),
  });
  const send = (name: string, size = 1, folder: { id: string; file: string } | null = null) => {
    const file = new File(['x'.repeat(size)], name);
    const abort = new AbortController();
    const partial = { address: null, offset: 0 };
    const attempt = () =>
      sender.send(virtualPath(`/${name}`), file, {
        override: false,
        signal: abort.signal,
        onProgress: () => undefined,
        partial,
        folder,
      });
    const result = attempt();
    result.catch(() => undefined);
    return { result, abort, attempt };
  };
  /** Waits until `count` requests have been sent. */
  const sent = async (count: number) => {
    await vi.waitFor(() => expect(batches).toHaveLength(count));
    return batches.at(-1) as SentBatch;
  };
  return { send, sent, batches, alone };
}

const namesIn = ({ files }: SentBatch): string[] => files.map(({ path }) => path.slice(1));

test('sends a single file alone, and files that are added together in one request', async () => {
  const { send, sent, alone } = openSender();
  await send('alone').result;
  expect(alone).toEqual(['/alone']);
  const files = ['a', 'b', 'c'].map((name) => send(name));
  const batch = await sent(1);
  expect(namesIn(batch)).toEqual(['a', 'b', 'c']);
  for (const name of ['c', 'a', 'b']) batch.settle(name);
  await Promise.all(files.map(({ result }) => result));
});

test('sends the files of different folder uploads in separate requests, with their paths in the folder', async () => {
  const { send, sent, batches } = openSender();
  const files = ['a', 'b', 'c', 'd'].map((name, index) =>
    send(name, 1, { id: index < 2 ? 'one' : 'two', file: `in/${name}` }),
  );
  await sent(1);
  for (const name of ['a', 'b']) batches[0]?.settle(name);
  batches[0]?.end();
  const second = await sent(2);
  expect(batches.map((batch) => [batch.folderId, namesIn(batch)])).toEqual([
    ['one', ['a', 'b']],
    ['two', ['c', 'd']],
  ]);
  expect(second.files.map(({ folderFile }) => folderFile)).toEqual(['in/c', 'in/d']);
  for (const name of ['c', 'd']) second.settle(name);
  await Promise.all(files.map(({ result }) => result));
});

test('rejects only the file that was refused', async () => {
  const { send, sent } = openSender();
  const [a, b] = [send('a'), send('b')];
  const batch = await sent(1);
  batch.settle('a', new ApiError(409, 'already_exists'));
  batch.settle('b');
  await expect(a.result).rejects.toMatchObject({ code: 'already_exists' });
  await b.result;
});

test('rejects the files without a result when the connection breaks, and sends them with the same keys again', async () => {
  const { send, sent } = openSender();
  const [a, b, c] = [send('a'), send('b'), send('c')];
  const first = await sent(1);
  first.settle('a');
  first.fail(new ApiError(0, 'no_connection'));
  await a.result;
  await expect(b.result).rejects.toMatchObject({ code: 'connection_aborted' });
  await expect(c.result).rejects.toMatchObject({ code: 'connection_aborted' });
  const again = [b.attempt(), c.attempt()];
  const second = await sent(2);
  expect(second.files.map(({ key }) => key)).toEqual(first.files.slice(1).map(({ key }) => key));
  expect(new Set(first.files.map(({ key }) => key)).size).toBe(3);
  second.settle('b');
  second.end();
  await again[0];
  await expect(again[1]).rejects.toMatchObject({ code: 'connection_aborted' });
});

test('aborts the request of an aborted file, and sends the others again', async () => {
  const { send, sent, batches } = openSender();
  const [a, b, c, d] = [send('a'), send('b'), send('c'), send('d')];
  const first = await sent(1);
  first.settle('a');
  b.abort.abort();
  await expect(b.result).rejects.toMatchObject({ name: 'AbortError' });
  const second = await sent(2);
  expect(first.signal.aborted).toBe(true);
  expect(namesIn(second)).toEqual(['c', 'd']);
  for (const name of ['c', 'd']) second.settle(name);
  second.end();
  await Promise.all([a.result, c.result, d.result]);
  expect(batches).toHaveLength(2);
});

test('a request has at most 100 files and 256 KiB, and at most three are sent at once', async () => {
  const { send, sent, batches } = openSender();
  const files = Array.from({ length: 450 }, (_, index) => send(`s${index}`));
  await sent(3);
  expect(batches.map((batch) => namesIn(batch).length)).toEqual([100, 100, 100]);
  for (const batch of batches.slice()) {
    for (const name of namesIn(batch)) batch.settle(name);
    batch.end();
  }
  for (const [count, size] of [
    [4, 100],
    [5, 50],
  ] as const) {
    const next = await sent(count);
    expect(namesIn(next)).toHaveLength(size);
    for (const name of namesIn(next)) next.settle(name);
    next.end();
  }
  await Promise.all(files.map(({ result }) => result));
  const large = Array.from({ length: 6 }, (_, index) => send(`l${index}`, 60_000));
  const batch = await sent(6);
  expect(namesIn(batch)).toHaveLength(4);
  for (const { abort } of large) abort.abort();
});
