import { virtualPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { UploadConflictSide } from './conflict-queue.ts';
import type { UploadItem } from '../collecting/upload-item.ts';
import { UploadQueue } from './upload-queue.ts';
import type { AnnouncedFolder, SendOptions, UploadTransport } from './upload-transport.ts';

/** A server whose responses are controlled by the test. */
class ManualServer implements UploadTransport {
  readonly started: string[] = [];
  readonly entries = new Map<string, Map<string, UploadConflictSide>>();
  readonly #open = new Map<string, { resolve: () => void; reject: (error: unknown) => void }>();
  readonly #options = new Map<string, SendOptions>();
  readonly aborted: string[] = [];
  readonly discarded: string[] = [];

  sendFile: UploadTransport['sendFile'] = (path, _file, options) => {
    this.#options.set(path, options);
    return this.#start(options.override ? `${path} !` : path, path, options.signal);
  };
  discard: UploadTransport['discard'] = async (partial) => {
    this.discarded.push(`${partial.address}?${partial.offset}`);
    Object.assign(partial, { address: null, offset: 0 });
  };
  createFolder: UploadTransport['createFolder'] = (path, signal) => this.#start(`${path}/`, path, signal);
  readonly isSmall = () => false;
  readonly announced: AnnouncedFolder[] = [];
  readonly forgotten: string[] = [];
  announceFolder: UploadTransport['announceFolder'] = async (folder) =>
    `folder-${this.announced.push(folder)}`;
  forgetFolder: UploadTransport['forgetFolder'] = async (id) => void this.forgotten.push(id);
  listFolder: UploadTransport['listFolder'] = async (path) => this.entries.get(path) ?? new Map();

  has(folder: string, name: string, isFolder = false): void {
    const names = this.entries.get(folder) ?? new Map<string, UploadConflictSide>();
    this.entries.set(folder, names.set(name, { isFolder, size: 9, modifiedMs: 9 }));
  }
  async finish(path: string): Promise<void> {
    this.#open.get(path)?.resolve();
    await settle();
  }
  async fail(path: string, code: string): Promise<void> {
    this.#open.get(path)?.reject(Object.assign(new Error(code), { code }));
    await settle();
  }
  progress(path: string, sentBytes: number): void {
    this.#options.get(path)?.onProgress(sentBytes);
  }
  /** Simulates a chunked upload of which `offset` bytes have been received. */
  begin(path: string, offset: number): void {
    const options = this.#options.get(path);
    Object.assign(options?.partial ?? {}, { address: path, offset });
    options?.onConfirmed(offset);
  }
  optionsOf(path: string): SendOptions | undefined {
    return this.#options.get(path);
  }
  interrupt(path: string, isInterrupted: boolean): void {
    this.#options.get(path)?.onInterrupted(isInterrupted);
  }

  #start(label: string, path: VirtualPath, signal: AbortSignal): Promise<void> {
    this.started.push(label);
    return new Promise((resolve, reject) => {
      this.#open.set(path, { resolve, reject });
      signal.addEventListener('abort', () => {
        this.aborted.push(path);
        reject(new DOMException('aborted', 'AbortError'));
      });
    });
  }
}

/** Lets promises resolve and the 100 ms between two notifications pass. */
const settle = () => vi.advanceTimersByTimeAsync(100);

const file = (relativePath: string, size = 10): UploadItem => ({
  kind: 'file',
  relativePath,
  file: new File(['x'.repeat(size)], relativePath),
});
const folder = (relativePath: string): UploadItem => ({ kind: 'folder', relativePath });
const names = (count: number) => Array.from({ length: count }, (_, index) => file(`f${index}`));

let server: ManualServer;
let queue: UploadQueue;
beforeEach(() => {
  vi.useFakeTimers();
  server = new ManualServer();
  queue = new UploadQueue(server);
});
afterEach(() => {
  vi.useRealTimers();
});

const add = async (items: UploadItem[], canReplace = true) => {
  const added = queue.enqueue({ destination: virtualPath('/in'), items, canReplace });
  await settle();
  return added;
};
const states = () =>
  Object.fromEntries(
    queue
      .jobs()
      .map((job) => [job.name, job.state] as const)
      .sort(),
  );
const idOf = (name: string) => queue.jobs().find((job) => job.name === name)?.id ?? 0;

test('sends five at once, in order, and starts the next when one ends', async () => {
  await add(names(7));
  expect(server.started).toEqual(['/in/f0', '/in/f1', '/in/f2', '/in/f3', '/in/f4']);
  await server.finish('/in/f2');
  expect(server.started.slice(5)).toEqual(['/in/f5']);
  await server.finish('/in/f0');
  expect(server.started.slice(6)).toEqual(['/in/f6']);
  expect(queue.getSnapshot()).toMatchObject({ total: 7, isBusy: true, counts: { sending: 5, done: 2 } });
});

test('creates a folder before its content, including an empty one', async () => {
  await add([folder('p'), file('p/a'), folder('p/empty')]);
  expect(server.started).toEqual(['/in/p/']);
  await server.finish('/in/p');
  expect(server.started).toEqual(['/in/p/', '/in/p/a', '/in/p/empty/']);
});

test('reports each finished upload, and the end once', async () => {
  const uploaded: unknown[] = [];
  const finished = vi.fn<(summary: unknown) => void>();
  queue.onUploaded((entry) => uploaded.push([entry.path, entry.size, entry.isFolder]));
  queue.onFinished(finished);
  await add([folder('p'), file('p/a', 12)]);
  await server.finish('/in/p');
  await server.finish('/in/p/a');
  expect(uploaded).toEqual([
    ['/in/p', 0, true],
    ['/in/p/a', 12, false],
  ]);
  expect(finished.mock.calls).toEqual([[{ files: 1, folders: 1, failed: 0, skipped: 0, cancelled: 0 }]]);
  expect(queue.isBusy).toBe(false);
  expect(queue.getSnapshot()).toMatchObject({ progress: 1, isBusy: false, secondsLeft: 0 });
});

test('pauses all: stops running jobs and starts no others; resuming continues in order', async () => {
  await add(names(7));
  queue.pauseAll();
  await settle();
  expect(server.aborted).toEqual(['/in/f0', '/in/f1', '/in/f2', '/in/f3', '/in/f4']);
  expect(queue.getSnapshot()).toMatchObject({ isPaused: true, isBusy: true, counts: { paused: 7 } });
  queue.resumeAll();
  expect(server.started.slice(5)).toEqual(['/in/f0', '/in/f1', '/in/f2', '/in/f3', '/in/f4']);
  await settle();
  expect(queue.getSnapshot()).toMatchObject({ isPaused: false, counts: { sending: 5, waiting: 2 } });
});

test('starts the next job while one is paused, and resumes that one before waiting jobs', async () => {
  await add(names(8));
  queue.pause(idOf('f1'));
  queue.pause(idOf('f6'));
  expect(server.started.slice(5)).toEqual(['/in/f5']);
  expect(queue.getSnapshot().isPaused).toBe(false);
  queue.resume(idOf('f1'));
  await server.finish('/in/f0');
  expect(server.started.slice(6)).toEqual(['/in/f1']);
  await server.finish('/in/f2');
  expect(server.started.slice(7)).toEqual(['/in/f7']);
  await server.finish('/in/f3');
  expect(states()).toMatchObject({ f6: 'paused' });
});

test('cannot pause a file whose bytes have all been sent', async () => {
  await add([file('a', 100)]);
  server.progress('/in/a', 100);
  queue.pauseAll();
  expect(server.aborted).toEqual([]);
  await server.finish('/in/a');
  expect(states()).toEqual({ a: 'done' });
});

test('keeps the progress of a chunked upload over a pause and its state over a failure, and deletes it when cancelled', async () => {
  await add([file('a', 100)]);
  server.begin('/in/a', 40);
  queue.pause(idOf('a'));
  await settle();
  expect(queue.getSnapshot()).toMatchObject({ sentBytes: 40, totalBytes: 100 });
  queue.resume(idOf('a'));
  expect(queue.rows()).toMatchObject([{ state: 'sending', sentBytes: 40 }]);
  await server.fail('/in/a', 'connection_aborted');
  queue.retry(idOf('a'));
  expect(server.discarded).toEqual([]);
  await queue.cancelAll();
  expect(server.discarded).toEqual(['/in/a?40']);
});

test('restarts an upload under another name if its name was taken meanwhile', async () => {
  await add([file('a', 100)]);
  server.begin('/in/a', 40);
  server.has('/in', 'a');
  await server.fail('/in/a', 'already_exists');
  expect(server.discarded).toEqual(['/in/a?40']);
  queue.conflicts.answer('keep_both', false);
  await settle();
  expect(server.started.at(-1)).toBe('/in/a(1)');
  expect(queue.rows()).toMatchObject([{ state: 'sending', sentBytes: 0 }]);
});

test('shows a broken connection in the row until the next attempt', async () => {
  await add([file('a', 100)]);
  server.interrupt('/in/a', true);
  expect(queue.rows()).toMatchObject([{ state: 'sending', isInterrupted: true }]);
  server.interrupt('/in/a', false);
  expect(queue.rows()).toMatchObject([{ isInterrupted: false }]);
});

test('keeps a failed upload with its reason and can retry it', async () => {
  await add([file('a')]);
  await server.fail('/in/a', 'storage_full');
  expect(queue.rows()).toMatchObject([{ state: 'failed', failure: 'storage_full' }]);
  expect(queue.isBusy).toBe(false);
  queue.retry(idOf('a'));
  expect(server.started).toEqual(['/in/a', '/in/a']);
  await server.finish('/in/a');
  expect(states()).toEqual({ a: 'done' });
});

test('can retry all failed uploads at once, and keeps them when new ones are added', async () => {
  await add(names(2));
  await server.fail('/in/f0', 'no_connection');
  await server.fail('/in/f1', 'no_connection');
  await add([file('new')]);
  expect(states()).toEqual({ f0: 'failed', f1: 'failed', new: 'sending' });
  queue.retryFailed();
  expect(server.started).toEqual(['/in/f0', '/in/f1', '/in/new', '/in/f0', '/in/f1']);
});

test('removes finished rows when the next uploads are added', async () => {
  await add([file('a')]);
  await server.finish('/in/a');
  await add([file('b')]);
  expect(states()).toEqual({ b: 'sending' });
});

test('cancels one upload and starts the next', async () => {
  await add(names(6));
  queue.cancel(idOf('f1'));
  await settle();
  expect(server.aborted).toEqual(['/in/f1']);
  expect(states()).toMatchObject({ f1: 'cancelled', f5: 'sending' });
  queue.retry(idOf('f1'));
  await server.finish('/in/f0');
  expect(server.started.at(-1)).toBe('/in/f1');
});

test('cancels all uploads and ends the queue', async () => {
  const finished = vi.fn<(summary: unknown) => void>();
  queue.onFinished(finished);
  await add(names(8));
  await server.finish('/in/f0');
  void queue.cancelAll();
  await settle();
  expect(queue.isBusy).toBe(false);
  expect(server.aborted).toHaveLength(5);
  expect(finished.mock.calls).toEqual([[{ files: 1, folders: 0, failed: 0, skipped: 0, cancelled: 7 }]]);
});

test('sends a cancelled and retried upload only once', async () => {
  await add(names(6));
  queue.cancel(idOf('f5'));
  queue.retry(idOf('f5'));
  await server.finish('/in/f0');
  await server.finish('/in/f1');
  expect(server.started.filter((path) => path === '/in/f5')).toHaveLength(1);
});

test('asks about conflicts before anything is sent, and counts skipped files', async () => {
  const finished = vi.fn<(summary: unknown) => void>();
  queue.onFinished(finished);
  server.has('/in', 'a');
  server.has('/in', 'b');
  server.has('/in', 'c');
  const added = add([file('free'), file('a'), file('b'), file('c')]);
  await settle();
  expect(server.started).toEqual([]);
  expect(queue.isBusy).toBe(true);
  expect(queue.conflicts.getSnapshot()).toMatchObject({ conflict: { path: '/in/a' }, remaining: 2 });
  queue.conflicts.answer('replace', false);
  queue.conflicts.answer('skip', true);
  await added;
  await settle();
  expect(server.started).toEqual(['/in/free', '/in/a !']);
  await server.finish('/in/free');
  await server.finish('/in/a');
  expect(finished.mock.calls[0]).toEqual([{ files: 2, folders: 0, failed: 0, skipped: 2, cancelled: 0 }]);
});

test('asks about a conflict that is only found when sending, and applies an answer for the rest', async () => {
  await add(names(3));
  server.has('/in', 'f0');
  server.has('/in', 'f1');
  await server.fail('/in/f0', 'already_exists');
  expect(states()).toMatchObject({ f0: 'asking' });
  queue.conflicts.answer('keep_both', true);
  await settle();
  expect(server.started.at(-1)).toBe('/in/f0(1)');
  await server.fail('/in/f1', 'already_exists');
  expect(queue.conflicts.getSnapshot()).toBeNull();
  expect(server.started.at(-1)).toBe('/in/f1(1)');
});

test('fails instead of asking forever if the listing hides a taken name', async () => {
  await add([file('hidden')]);
  await server.fail('/in/hidden', 'already_exists');
  expect(server.started).toHaveLength(2);
  await server.fail('/in/hidden', 'already_exists');
  expect(queue.rows()).toMatchObject([{ state: 'failed', failure: 'already_exists' }]);
});

test('closes the prompt when an upload with an open prompt is cancelled', async () => {
  await add([file('a')]);
  server.has('/in', 'a');
  await server.fail('/in/a', 'already_exists');
  expect(queue.conflicts.getSnapshot()).not.toBeNull();
  queue.cancel(idOf('a'));
  await settle();
  expect(queue.conflicts.getSnapshot()).toBeNull();
  expect(queue.isBusy).toBe(false);
});

test('sends nothing of the batch if the prompt is cancelled', async () => {
  server.has('/in', 'a');
  const added = add([file('a'), file('b')]);
  await settle();
  queue.conflicts.answer('cancel', false);
  await added;
  expect(server.started).toEqual([]);
  expect(queue.isBusy).toBe(false);
});

test('counts bytes as they are sent and notifies listeners at most every 100 ms', async () => {
  await add([file('a', 100_000), file('b', 100_000)]);
  await settle();
  const listener = vi.fn<() => void>();
  queue.subscribe(listener);
  for (let step = 1; step <= 10; step += 1) {
    server.progress('/in/a', step * 5000);
    await vi.advanceTimersByTimeAsync(10);
  }
  await settle();
  expect(listener.mock.calls.length).toBeLessThanOrEqual(2);
  expect(queue.getSnapshot()).toMatchObject({ sentBytes: 50_000, totalBytes: 200_000 });
  expect(queue.getSnapshot().progress).toBeCloseTo(0.25, 1);
  // Bytes that only filled the buffers of this machine do not count as speed.
  expect(queue.getSnapshot().bytesPerSecond).toBe(0);
  await vi.advanceTimersByTimeAsync(1000);
  expect(queue.getSnapshot().bytesPerSecond).toBeGreaterThan(0);
});

test('removes the bytes of a failed upload from the progress', async () => {
  await add([file('a', 100_000), file('b', 100_000)]);
  server.progress('/in/a', 60_000);
  await server.fail('/in/a', 'no_connection');
  expect(queue.getSnapshot()).toMatchObject({ sentBytes: 0, totalBytes: 100_000, progress: 0 });
});

test('derives the remaining time from the measured rate', async () => {
  await add([file('a', 1_000_000)]);
  for (let step = 1; step <= 40; step += 1) {
    server.progress('/in/a', step * 10_000);
    await settle();
  }
  const { secondsLeft, bytesPerSecond } = queue.getSnapshot();
  expect(bytesPerSecond).toBeCloseTo(100_000, -4);
  expect(secondsLeft).toBeGreaterThan(5);
  expect(secondsLeft).toBeLessThan(7);
});

describe('the row of a folder', () => {
  const contents = [folder('Photos'), folder('Photos/in'), file('Photos/a', 30), file('Photos/in/b', 70)];
  const row = () => queue.rows().find(({ name }) => name === 'Photos');
  const shown = () => queue.rows().map(({ name, state }) => `${name} ${state}`);

  test('counts the files and bytes of everything in it', async () => {
    await add([...contents, file('other'), folder('empty')]);
    expect(shown()).toEqual(['Photos sending', 'other waiting', 'empty waiting']);
    expect(row()).toMatchObject({
      kind: 'folder',
      path: '/in/Photos',
      size: 100,
      contents: { files: 2, done: 0, failed: 0 },
    });
    await server.finish('/in/Photos');
    await server.finish('/in/Photos/in');
    await server.finish('/in/Photos/a');
    expect(row()).toMatchObject({ state: 'sending', sentBytes: 30, contents: { files: 2, done: 1 } });
    await server.finish('/in/Photos/in/b');
    expect(row()).toMatchObject({
      state: 'done',
      sentBytes: 100,
      contents: { files: 2, done: 2, failed: 0 },
    });
  });

  test('pauses, resumes, cancels and retries everything in it', async () => {
    await add([...contents, file('other')]);
    await server.finish('/in/Photos');
    await server.finish('/in/Photos/in');
    const id = row()?.id ?? 0;
    queue.pause(id);
    expect(shown()).toEqual(['other sending', 'Photos paused']);
    queue.resume(id);
    expect(states()).toMatchObject({ a: 'sending', b: 'sending', other: 'sending' });
    queue.cancel(id);
    await settle();
    expect(shown()).toEqual(['other sending', 'Photos cancelled']);
    expect(states()).toMatchObject({ a: 'cancelled', b: 'cancelled' });
    queue.retry(id);
    expect(states()).toMatchObject({ a: 'sending', b: 'sending' });
  });

  test('is shown beside the rows of the files that failed', async () => {
    await add(contents);
    await server.finish('/in/Photos');
    await server.finish('/in/Photos/in');
    await server.fail('/in/Photos/a', 'storage_full');
    await server.finish('/in/Photos/in/b');
    expect(queue.rows()).toMatchObject([
      { name: 'Photos', state: 'failed', contents: { files: 2, done: 1, failed: 1 } },
      { name: 'a', state: 'failed', failure: 'storage_full' },
    ]);
  });
});

describe('folder uploads', () => {
  const photos = () => [
    folder('Photos'),
    file('Photos/a'),
    folder('Photos/in'),
    file('Photos/in/b'),
    file('Photos/c'),
  ];
  const placeOf = (path: string) => server.optionsOf(path)?.folder;

  test('are announced with their files, each of which is sent with its path', async () => {
    await add([...photos(), file('loose')]);
    await server.finish('/in/Photos');
    expect(server.announced).toEqual([
      { path: '/in/Photos', name: 'Photos', files: 3, bytes: 30, handle: null },
    ]);
    expect(queue.folderIds()).toEqual(['folder-1']);
    await server.finish('/in/Photos/in');
    expect(placeOf('/in/Photos/in/b')).toEqual({ id: 'folder-1', file: 'in/b' });
    expect(placeOf('/in/loose')).toBeNull();
    for (const name of ['Photos/a', 'Photos/in/b', 'Photos/c', 'loose']) await server.finish(`/in/${name}`);
    // The server has ended the record with the last file.
    expect([queue.folderIds(), server.forgotten]).toEqual([[], []]);
  });

  test('keep their paths when the folder is uploaded under another name', async () => {
    server.has('/in', 'Photos', true);
    const added = queue.enqueue({ destination: virtualPath('/in'), items: photos(), canReplace: true });
    await settle();
    queue.conflicts.answer('keep_both', false);
    await added;
    await server.finish('/in/Photos(1)');
    expect(server.announced).toMatchObject([{ path: '/in/Photos(1)', name: 'Photos' }]);
    expect(placeOf('/in/Photos(1)/a')).toEqual({ id: 'folder-1', file: 'a' });
  });

  test('end when the rest is cancelled, and can be completed later when a file failed', async () => {
    await add(photos());
    await server.finish('/in/Photos');
    await server.fail('/in/Photos/a', 'storage_full');
    await queue.cancelAll();
    expect([queue.folderIds(), server.forgotten]).toEqual([['folder-1'], []]);
    queue.dismiss();
    expect(queue.folderIds()).toEqual([]);
    await add(photos());
    await queue.cancelAll();
    await settle();
    expect([queue.folderIds(), server.forgotten]).toEqual([[], ['folder-2']]);
  });

  test('are completed without a question about existing folders', async () => {
    server.has('/in/Photos', 'in', true);
    const items = [folder('in'), file('in/b')];
    void queue.enqueue({
      destination: virtualPath('/in/Photos'),
      items,
      canReplace: true,
      completes: { id: 'earlier', files: 3 },
    });
    await settle();
    await server.finish('/in/Photos/in');
    expect(placeOf('/in/Photos/in/b')).toEqual({ id: 'earlier', file: 'in/b' });
    expect([server.announced, queue.folderIds()]).toEqual([[], ['earlier']]);
  });
});

test('does not add a file again that is being uploaded already, and resumes it if it is paused', async () => {
  const first = file('a', 5);
  await add([file('other'), first]);
  const [, job] = queue.rows();
  queue.pause(job?.id ?? 0);
  expect(states()).toMatchObject({ a: 'paused' });
  const joined: number[] = [];
  queue.onJoined((count) => joined.push(count));
  queue.findElsewhere = async (files) =>
    new Set(files.flatMap(({ path }, index) => (path === '/in/b' ? [index] : [])));
  await add([first, file('b'), file('c')]);
  expect(joined).toEqual([2]);
  expect(queue.rows().map(({ name }) => name)).toEqual(['other', 'a', 'c']);
  expect(states()).toMatchObject({ a: 'sending', c: 'sending' });
});

describe('while the sizes of chosen files are read', () => {
  /** A file whose size takes as long to read as a slice of the work, and that calls `onRead` then. */
  const slowFile = (relativePath: string, onRead: () => void = () => undefined): UploadItem => {
    const slow = new File(['x'], relativePath);
    let isRead = false;
    Object.defineProperty(slow, 'size', {
      get() {
        if (!isRead) {
          isRead = true;
          onRead();
          vi.advanceTimersByTime(100);
        }
        return 1;
      },
    });
    return { kind: 'file', relativePath, file: slow };
  };

  test('sends the first ones, and counts the others', async () => {
    const seen: unknown[] = [];
    const look = (): void => {
      const { total, planned, isBusy } = queue.getSnapshot();
      seen.push([...server.started], { total, planned, isBusy });
    };
    await add([slowFile('a'), slowFile('b'), slowFile('c', look)]);
    expect(seen).toEqual([['/in/a', '/in/b'], { total: 2, planned: 1, isBusy: true }]);
    expect(server.started).toEqual(['/in/a', '/in/b', '/in/c']);
  });

  test('a pause is one of all files', async () => {
    await add([slowFile('a'), slowFile('b', () => queue.pauseAll()), slowFile('c')]);
    expect(states()).toEqual({ a: 'paused', b: 'paused', c: 'paused' });
    queue.resumeAll();
    await settle();
    expect(states()).toEqual({ a: 'sending', b: 'sending', c: 'sending' });
    await add([slowFile('d')]);
    expect(states()).toMatchObject({ d: 'sending' });
  });

  test('cancelling leaves out the others', async () => {
    const cancel = (): void => queueMicrotask(() => void queue.cancelAll());
    await add([slowFile('a'), slowFile('b', cancel), slowFile('c')]);
    expect(states()).toEqual({ a: 'cancelled', b: 'cancelled' });
    expect(server.started).toEqual(['/in/a', '/in/b']);
    expect(queue.isBusy).toBe(false);
  });
});

test('handles fifty thousand files', async () => {
  const instant = new UploadQueue({
    sendFile: async () => undefined,
    createFolder: async () => undefined,
    isSmall: () => false,
    listFolder: async () => new Map(),
    announceFolder: async () => null,
    forgetFolder: async () => undefined,
    discard: async () => undefined,
  });
  const one = new File(['x'], 'x');
  const items = Array.from({ length: 50_000 }, (_, index): UploadItem => {
    return { kind: 'file', relativePath: `d/${index}`, file: one };
  });
  const finished = vi.fn<(summary: unknown) => void>();
  instant.onFinished(finished);
  await instant.enqueue({ destination: virtualPath('/'), items, canReplace: true });
  await vi.waitFor(() => expect(finished).toHaveBeenCalledTimes(1), 20_000);
  await settle();
  expect(instant.getSnapshot()).toMatchObject({ counts: { done: 50_000 }, progress: 1 });
});

test('stops sending when the session ends, and continues in order after the next sign-in', async () => {
  await add(names(8));
  await server.finish('/in/f0');
  await server.fail('/in/f1', 'not_signed_in');
  expect(states()).toMatchObject({ f0: 'done', f1: 'waiting', f2: 'waiting', f7: 'waiting' });
  expect(server.aborted.sort()).toEqual(['/in/f2', '/in/f3', '/in/f4', '/in/f5']);
  expect(queue.isBusy).toBe(true);
  server.started.length = 0;
  queue.release();
  await settle();
  expect(server.started.toSorted()).toEqual(['/in/f1', '/in/f2', '/in/f3', '/in/f4', '/in/f5']);
  for (const number of [1, 2, 3, 4, 5, 6, 7]) await server.finish(`/in/f${number}`);
  expect(queue.getSnapshot()).toMatchObject({ isBusy: false, counts: { done: 8, failed: 0 } });
});

test('drops everything for another user without notifying the server', async () => {
  server.has('/in', 'f6');
  const added = queue.enqueue({ destination: virtualPath('/in'), items: names(7), canReplace: true });
  await settle();
  await add([file('other')]);
  server.begin('/in/other', 3);
  queue.hold();
  queue.forget();
  await added;
  await settle();
  expect(queue.rows()).toEqual([]);
  expect(queue.conflicts.getSnapshot()).toBeNull();
  expect(server.discarded).toEqual([]);
  queue.release();
  await add([file('next')]);
  expect(server.started.at(-1)).toBe('/in/next');
  expect(queue.getSnapshot()).toMatchObject({ total: 1, counts: { sending: 1, waiting: 0 } });
});

test('counts bytes that the server already had as sent, but not as speed', async () => {
  await add([file('big', 10_000_000)]);
  server.begin('/in/big', 9_000_000);
  await vi.advanceTimersByTimeAsync(1000);
  expect(queue.getSnapshot()).toMatchObject({ sentBytes: 9_000_000, bytesPerSecond: 0 });
  server.progress('/in/big', 9_001_000);
  await vi.advanceTimersByTimeAsync(1000);
  expect(queue.getSnapshot().bytesPerSecond).toBeLessThan(2000);
  expect(queue.rows()[0]?.bytesPerSecond).toBeLessThan(2000);
});
