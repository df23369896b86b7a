import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { problemResponse } from '../../../api/test-responses.ts';
import { closeAllToasts, closeToast, currentToasts } from '../../../ui/feedback/toast.ts';
import { onFilesChange, type FilesChange } from '../entries/changes.ts';
import { closeAllPrompts, usePrompts } from '../prompts/prompt-store.ts';
import { RefusedError } from './failure.ts';
import {
  addAction,
  addOperations,
  offerUndo,
  redoLast,
  toastWithUndo,
  trackChange,
  undoLast,
} from './undo.ts';
import { forgetActions, undoDepth } from './undo-stacks.ts';

const fetched = vi.fn<typeof fetch>();
let changes: FilesChange[] = [];
let stop: () => void;
beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
  changes = [];
  stop = onFilesChange((change) => changes.push(change));
});
afterEach(() => {
  stop();
  fetched.mockReset();
  forgetActions();
  closeAllToasts();
  closeAllPrompts();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const lastMessage = () =>
  currentToasts()
    .at(-1)
    ?.message.replaceAll(/[\u2066-\u2069]/gu, '');
const requests = () => fetched.mock.calls.map(([input]) => String(input).replace(/^.*\/api/u, '/api'));
const report = (more: object = {}) => ({
  operation: null,
  kind: 'move',
  total: 1,
  undone: 1,
  failures: [],
  paths: [],
  removed: [],
  folders: [],
  ...more,
});
/** Responds to the check and the undo of each operation with these reports. */
function respondWith(reports: Readonly<Record<string, ReturnType<typeof report>>>): void {
  fetched.mockImplementation(async (input) => {
    const [, id = '', query] = /operations\/([\w-]+)\/undo(\?check=true)?/u.exec(String(input)) ?? [];
    const found = reports[id];
    if (!found) return problemResponse(404, 'not_found');
    return Response.json({ ...found, operation: query ? null : `undo-${id}` });
  });
}

test('notifies the user when there is nothing to undo or to redo', async () => {
  await undoLast();
  expect(lastMessage()).toBe('Nothing to undo');
  await redoLast();
  expect(lastMessage()).toBe('Nothing to redo');
});

test('undoes the last action of the tab, then the one before, long after their notices are gone', async () => {
  respondWith({
    one: report({ kind: 'delete', paths: ['/a.txt'], folders: ['/'] }),
    two: report({ paths: ['/docs/b.txt'], folders: ['/', '/docs'] }),
  });
  toastWithUndo('deleted', ['one']);
  toastWithUndo('moved', ['two']);
  closeAllToasts();
  await undoLast();
  await vi.waitFor(() => expect(lastMessage()).toBe('Moved “b.txt” back to docs'));
  expect(changes.at(-1)).toEqual({ folders: ['/', '/docs'], removed: [], reveal: ['/docs/b.txt'] });
  await undoLast();
  await vi.waitFor(() => expect(lastMessage()).toBe('“a.txt” restored'));
  expect(requests()).toEqual([
    '/api/operations/two/undo?check=true',
    '/api/operations/two/undo',
    '/api/operations/one/undo?check=true',
    '/api/operations/one/undo',
  ]);
  await undoLast();
  expect(lastMessage()).toBe('Nothing to undo');
});

test('redoes an action by undoing its undo, until another action is performed', async () => {
  fetched.mockImplementation(async (input) => {
    const [, id = ''] = /operations\/([\w-]+)\/undo/u.exec(String(input)) ?? [];
    const kind = id === 'one' ? 'move' : 'undo';
    return Response.json(report({ operation: `undo-${id}`, kind, paths: ['/a.txt'] }));
  });
  addOperations(['one']);
  await undoLast();
  await vi.waitFor(() => expect(lastMessage()).toMatch(/^Moved .* back/u));
  await redoLast();
  await vi.waitFor(() => expect(lastMessage()).toBe('Done again: “a.txt”'));
  expect(requests().at(-1)).toBe('/api/operations/undo-one/undo');
  await undoLast();
  await vi.waitFor(() => expect(requests().at(-1)).toBe('/api/operations/undo-undo-one/undo'));
  await vi.waitFor(() => expect(currentToasts()).toHaveLength(3));
  // The server knows only that something was done again; the user undoes the move once more.
  expect(lastMessage()).toMatch(/^Moved .* back/u);
  addOperations(['other']);
  await redoLast();
  expect(lastMessage()).toBe('Nothing to redo');
});

test('undoes the operations of one action in reverse order, and reports their sum', async () => {
  respondWith({
    a: report({ paths: ['/docs/a'] }),
    b: report({ paths: ['/docs/b'] }),
    c: report({ paths: ['/docs/c'] }),
  });
  addOperations(['a', 'b', 'c']);
  await undoLast();
  await vi.waitFor(() => expect(lastMessage()).toBe('Moved 3 items back to docs'));
  expect(requests().slice(3)).toEqual(['c', 'b', 'a'].map((id) => `/api/operations/${id}/undo`));
});

test.each([
  ['is empty then', true, '3 items moved to the trash'],
  ['contains something else', false, '2 items moved to the trash'],
])(
  'a folder that was created for uploads is undone after them without a question if it %s',
  async (_, isEmpty, text) => {
    const upload = (path: string) => report({ kind: 'upload', removed: [path], folders: ['/docs'] });
    const reports: Record<string, ReturnType<typeof report>> = { a: upload('/docs/a'), b: upload('/docs/b') };
    fetched.mockImplementation(async (input) => {
      const [, id = '', query] = /operations\/(\w+)\/undo(\?check=true)?/u.exec(String(input)) ?? [];
      if (reports[id]) return Response.json({ ...reports[id], operation: query ? null : `undo-${id}` });
      if (query) return Response.json(report({ kind: 'create', undone: 0 }));
      if (!isEmpty) return problemResponse(409, 'changed_since');
      return Response.json(
        report({ kind: 'create', operation: 'undo-folder', removed: ['/docs'], folders: ['/'] }),
      );
    });
    addOperations(['folder', 'a', 'b']);
    await undoLast();
    await vi.waitFor(() => expect(lastMessage()).toBe(text));
    expect(usePrompts.getState().open).toEqual([]);
    expect(requests().slice(3)).toEqual(['b', 'a', 'folder'].map((id) => `/api/operations/${id}/undo`));
  },
);

test('asks first when some entries have changed since, and does nothing when that is declined', async () => {
  respondWith({ one: report({ kind: 'copy', total: 40, undone: 37, removed: ['/a'] }) });
  addOperations(['one']);
  await undoLast();
  await vi.waitFor(() => expect(usePrompts.getState().open).toHaveLength(1));
  const [declined] = usePrompts.getState().open;
  expect(declined).toMatchObject({ kind: 'undoRest', total: 40, undone: 37 });
  if (declined?.kind === 'undoRest') declined.onReply(false);
  closeAllPrompts();
  await vi.waitFor(() => expect(requests()).toEqual(['/api/operations/one/undo?check=true']));

  await vi.waitFor(async () => {
    closeAllToasts();
    await undoLast();
    expect(lastMessage()).toBeUndefined();
  });
  await vi.waitFor(() => expect(usePrompts.getState().open).toHaveLength(1));
  const [confirmed] = usePrompts.getState().open;
  if (confirmed?.kind === 'undoRest') confirmed.onReply(true);
  await vi.waitFor(() => expect(lastMessage()).toMatch(/^37 of 40 items were undone\./u));
});

test('shows the reason when nothing can be undone', async () => {
  const failures = [{ path: '/a', code: 'changed_since' }];
  respondWith({ one: report({ undone: 0, failures: failures as never }) });
  addOperations(['one']);
  await undoLast();
  await vi.waitFor(() =>
    expect(lastMessage()).toBe('This could not be undone. It has changed since, or was undone already.'),
  );
  expect(requests()).toHaveLength(1);
});

test('remembers a limited number of actions', async () => {
  respondWith({});
  for (let index = 0; index <= undoDepth; index++) addOperations([`id${index}`]);
  for (let index = 0; index < undoDepth; index++) await undoLast();
  await vi.waitFor(() => expect(requests()).toHaveLength(undoDepth));
  expect(requests().at(-1)).toBe('/api/operations/id1/undo?check=true');
  closeAllToasts();
  await undoLast();
  expect(currentToasts().map(({ message }) => message)).toContain('Nothing to undo');
});

test('withdraws the undo of a change in the page together with its notice', async () => {
  const undo = vi.fn(async () => undefined);
  closeToast(toastWithUndo('one', undo));
  await undoLast();
  expect([lastMessage(), undo.mock.calls.length]).toEqual(['Nothing to undo', 0]);
});

test('offers the undo of a view for some seconds without a notice, and reports it', async () => {
  vi.useFakeTimers();
  const undo = vi.fn(async () => 'View: List');
  offerUndo(undo);
  expect(currentToasts()).toEqual([]);
  await undoLast();
  await vi.advanceTimersByTimeAsync(1);
  expect([undo.mock.calls.length, lastMessage()]).toEqual([1, 'View: List']);
  offerUndo(undo);
  await vi.advanceTimersByTimeAsync(10_001);
  await undoLast();
  expect(undo).toHaveBeenCalledTimes(1);
});

test('a change of the page is redone and undone again, also after another view was chosen', async () => {
  addAction(
    async () => 'removed',
    async () => 'added',
  );
  await undoLast();
  await vi.waitFor(() => expect(lastMessage()).toBe('removed'));
  offerUndo(async () => 'View: List');
  await undoLast();
  await vi.waitFor(() => expect(lastMessage()).toBe('View: List'));
  await redoLast();
  await vi.waitFor(() => expect(lastMessage()).toBe('added'));
  await undoLast();
  await vi.waitFor(() => expect(lastMessage()).toBe('removed'));
  await undoLast();
  expect(lastMessage()).toBe('Nothing to undo');
});

test('names the result of undoing a renaming, and of undoing and redoing the deletion of a share', async () => {
  respondWith({
    renaming: report({ paths: ['/docs/b.txt'], folders: ['/docs'] }),
    share: report({ kind: 'unshare' }),
    'undo-share': report({ kind: 'undo' }),
    options: report({ kind: 'reshare' }),
  });
  for (const id of ['options', 'share', 'renaming']) addOperations([id]);
  await undoLast();
  await vi.waitFor(() => expect(lastMessage()).toBe('Renamed to “b.txt”'));
  await undoLast();
  await vi.waitFor(() => expect(lastMessage()).toBe('The link works again'));
  await redoLast();
  await vi.waitFor(() => expect(lastMessage()).toBe('Done again: 1 item'));
  await undoLast();
  await vi.waitFor(() => expect(requests().at(-1)).toContain('undo-undo-share'));
});

test('reports why the undo of a change of the page failed', async () => {
  toastWithUndo('one', async () => {
    throw new RefusedError('It has changed.');
  });
  await undoLast();
  await vi.waitFor(() => expect(lastMessage()).toBe('This could not be undone. It has changed.'));
});

test('redo waits for an undo in progress', async () => {
  const done: string[] = [];
  let end = (): void => undefined;
  addAction(
    async () => {
      await new Promise<void>((resolve) => (end = resolve));
      done.push('undone');
      return 'undone';
    },
    async () => {
      done.push('redone');
      return 'redone';
    },
  );
  await undoLast();
  const isRedone = redoLast();
  end();
  await isRedone;
  await vi.waitFor(() => expect(done).toEqual(['undone', 'redone']));
});

test('undo waits for a change in progress, because the user means that one, but not for minutes', async () => {
  vi.useFakeTimers();
  const undone: string[] = [];
  const add = (name: string) => toastWithUndo(name, async () => void undone.push(name));
  add('earlier');
  let end = (): void => undefined;
  const change = trackChange(new Promise<void>((resolve) => (end = resolve)).then(() => add('deleted')));
  const isUndone = undoLast();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(undone).toEqual([]);
  end();
  await change;
  await isUndone;
  await vi.advanceTimersByTimeAsync(0);
  expect(undone).toEqual(['deleted']);

  const slowChange = trackChange(new Promise<void>((resolve) => (end = resolve)));
  const isNextUndone = undoLast();
  await vi.advanceTimersByTimeAsync(5_000);
  await isNextUndone;
  expect(undone).toEqual(['deleted', 'earlier']);
  end();
  await slowChange;
});
