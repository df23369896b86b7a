import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { UploadItem } from '../collecting/upload-item.ts';
import { UploadQueue } from '../queue/upload-queue.ts';
import { OpenTabs } from './open-tabs.ts';
import { SharedTray } from './shared-tray.ts';

/** The channels of this test, which deliver at once and to all others of the same name. */
const channels = new Set<TestChannel>();
class TestChannel extends EventTarget {
  readonly name: string;
  constructor(name: string) {
    super();
    this.name = name;
    channels.add(this);
  }
  postMessage(data: unknown): void {
    const copy: unknown = structuredClone(data);
    for (const other of channels)
      if (other !== this && other.name === this.name)
        other.dispatchEvent(new MessageEvent('message', { data: copy }));
  }
  close(): void {
    channels.delete(this);
  }
}

const file = (name: string, size = 10): UploadItem => ({
  kind: 'file',
  relativePath: name,
  file: new File(['x'.repeat(size)], name, { lastModified: 7 }),
});

interface Page {
  readonly queue: UploadQueue;
  readonly tray: SharedTray;
  readonly tabs: OpenTabs;
  add(...names: string[]): Promise<void>;
  finish(): void;
}

/** Opens a page with its own instance of the modules, and so with its own id, as in another tab. */
async function openPage(userId = 1): Promise<Page> {
  vi.resetModules();
  const [{ UploadQueue: Queue }, { OpenTabs: Tabs }, { SharedTray: Shared }] = await Promise.all([
    import('../queue/upload-queue.ts'),
    import('./open-tabs.ts'),
    import('./shared-tray.ts'),
  ]);
  let finish = (): void => undefined;
  const queue = new Queue({
    sendFile: (_path, _file, { signal, onProgress }) =>
      new Promise<void>((resolve, reject) => {
        onProgress(1);
        finish = resolve;
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
    createFolder: async () => undefined,
    isSmall: () => false,
    listFolder: async () => new Map(),
    announceFolder: async () => null,
    forgetFolder: async () => undefined,
    discard: async () => undefined,
  });
  const tabs = new Tabs(queue);
  queue.findElsewhere = (files) => tabs.findElsewhere(files);
  const tray = new Shared(queue, tabs);
  tabs.open(userId);
  await vi.advanceTimersByTimeAsync(1000);
  return {
    queue,
    tray,
    tabs,
    async add(...names) {
      const items = names.map((name) => file(name));
      const added = queue.enqueue({ destination: virtualPath('/in'), items, canReplace: true });
      await vi.advanceTimersByTimeAsync(1000);
      await added;
    },
    finish: () => finish(),
  };
}

const settle = () => vi.advanceTimersByTimeAsync(1000);
const rowsOf = ({ tray }: Page) => tray.rows().map(({ name, state }) => `${name} ${state}`);

let first: Page;
let second: Page;
beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('BroadcastChannel', TestChannel);
  first = await openPage();
  second = await openPage();
});
afterEach(() => {
  for (const { tabs } of [first, second]) tabs.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  channels.clear();
});

test('all pages show one list, with the totals of all', async () => {
  await first.add('a', 'b');
  await second.add('c');
  for (const page of [first, second]) {
    expect(rowsOf(page).toSorted()).toEqual(['a sending', 'b sending', 'c sending']);
    expect(page.tray.getSnapshot()).toMatchObject({
      total: 3,
      totalBytes: 30,
      counts: { sending: 3 },
      isBusy: true,
    });
  }
});

test('a page that is opened later shows the uploads of the others', async () => {
  await first.add('a');
  const third = await openPage();
  expect(rowsOf(third)).toEqual(['a sending']);
  third.tabs.close();
});

test('uploads can be paused, resumed and cancelled from any page, one by one and all together', async () => {
  await first.add('a', 'b');
  const idOf = (name: string) => second.tray.rows().find((row) => row.name === name)?.id ?? 0;
  second.tray.pause(idOf('a'));
  await settle();
  expect(rowsOf(first)).toEqual(['b sending', 'a paused']);
  expect(rowsOf(second)).toEqual(['b sending', 'a paused']);
  second.tray.resume(idOf('a'));
  second.tray.cancel(idOf('b'));
  await settle();
  expect(rowsOf(first)).toEqual(['a sending', 'b cancelled']);
  await second.add('c');
  second.tray.pauseAll();
  await settle();
  expect(rowsOf(second)).toEqual(['c paused', 'a paused', 'b cancelled']);
  expect(second.tray.getSnapshot()).toMatchObject({ isPaused: true, secondsLeft: null });
  await second.tray.cancelAll();
  await settle();
  second.tray.dismiss();
  await settle();
  expect([rowsOf(first), rowsOf(second)]).toEqual([[], []]);
});

test('a file that another page is uploading is not uploaded again, but resumed there if it is paused', async () => {
  await first.add('a');
  first.queue.pauseAll();
  await settle();
  const joined: number[] = [];
  second.queue.onJoined((count) => joined.push(count));
  await second.add('a', 'b');
  expect(joined).toEqual([1]);
  expect(second.queue.rows().map(({ name }) => name)).toEqual(['b']);
  expect(rowsOf(first).toSorted()).toEqual(['a sending', 'b sending']);
});

test('a page that does not reply delays an upload by less than a second', async () => {
  await first.add('a');
  // The first page is frozen: it receives no messages.
  channels.delete([...channels][0] as TestChannel);
  await second.add('a');
  expect(second.queue.rows().map(({ name }) => name)).toEqual(['a']);
});

test('the uploads of a closed page are removed, and the other pages are notified', async () => {
  await first.add('a');
  const gone = vi.fn<() => void>();
  second.tabs.onGone(gone);
  first.tabs.close();
  await settle();
  expect(rowsOf(second)).toEqual([]);
  expect(gone).toHaveBeenCalled();
});

test('the uploads of another user are not shown', async () => {
  const other = await openPage(2);
  await first.add('a');
  expect(rowsOf(other)).toEqual([]);
  other.tabs.close();
});

test('a message with an unknown action is ignored', async () => {
  await first.add('a');
  const [page] = second.tabs.peers.keys();
  second.tabs.act(page ?? '', 'forget' as 'pause');
  await settle();
  expect(rowsOf(first)).toEqual(['a sending']);
});
