import type { Operation } from '@filestead/contract/endpoints/operations';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { loadTexts } from '../../i18n/i18n.ts';
import type { HistoryHost } from './history-host.ts';
import { HistoryModel } from './history-model.ts';
import { operationText } from './history-texts.ts';
import { HistoryView } from './history-view.tsx';

const fetched = vi.fn<typeof fetch>();
beforeAll(() => loadTexts('history', 'filters', 'files', 'common'));
beforeEach(() => vi.stubGlobal('fetch', fetched));
afterEach(() => {
  cleanup();
  fetched.mockReset();
  vi.unstubAllGlobals();
});

const plain = (text: string): string => text.replaceAll(/[\u2066-\u2069]/gu, '');
const operation = (more: Partial<Operation> = {}): Operation => ({
  id: 'id',
  kind: 'move',
  state: 'done',
  startedAt: new Date().toISOString(),
  endedAt: new Date().toISOString(),
  user: 'anna',
  isOwn: true,
  total: 1,
  path: '/docs/b.txt',
  from: '/a.txt',
  isDir: false,
  versionAt: null,
  undoes: null,
  original: null,
  canUndo: true,
  ...more,
});
const hostWith = (more: Partial<HistoryHost> = {}): HistoryHost => ({
  username: 'anna',
  isAdministrator: false,
  undo: vi.fn(async () => true),
  countRewind: vi.fn(),
  rewind: vi.fn(),
  reveal: vi.fn(),
  reasonOf: () => 'reason',
  ...more,
});

test('describes each kind of operation, and an undo by the change that it has undone', () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 27), toFake: ['Date'] });
  const versionAt = new Date(2026, 4, 3, 9, 5).toISOString();
  const plan = { total: 1, path: '/docs/plan.txt', from: null, isDir: false, versionAt };
  const texts: [Partial<Operation>, string][] = [
    [{}, 'Moved “b.txt” from My files to docs'],
    [{ path: '/b.txt' }, 'Renamed “a.txt” to “b.txt”'],
    [{ total: 3 }, 'Moved 3 items from My files to docs'],
    [{ from: null }, 'Moved “b.txt” to docs'],
    [{ kind: 'delete', from: null, total: 2 }, 'Deleted 2 items from docs'],
    [{ kind: 'purge', from: null }, 'Deleted “b.txt” forever'],
    [{ kind: 'undo', undoes: 'delete' }, 'Undid the change of “b.txt”'],
    [{ kind: 'undo', undoes: 'undo', total: 2 }, 'Redid the change of 2 items'],
    [{ kind: 'rewind', total: 12 }, 'Rewound 12 items'],
    [{ ...plan, kind: 'restore' }, 'Restored the version of “plan.txt” from 3 May, 09:05'],
    [{ ...plan, kind: 'copy' }, 'Saved the version from 3 May, 09:05 as “plan.txt”'],
    [{ ...plan, kind: 'purge' }, 'Deleted the version of “plan.txt” from 3 May, 09:05 forever'],
    [
      { kind: 'undo', undoes: 'restore', original: { ...plan, kind: 'restore' } },
      'Undid: Restored the version of “plan.txt” from 3 May, 09:05',
    ],
    [
      { kind: 'undo', undoes: 'undo', original: { ...plan, kind: 'delete', versionAt: null, total: 3 } },
      'Redid: Deleted 3 items from docs',
    ],
  ];
  for (const [more, text] of texts) expect(plain(operationText(operation(more)))).toBe(text);
  vi.useRealTimers();
});

test('shows pages of operations, undoes one and loads the list again', async () => {
  const items = [operation({ id: 'one' }), operation({ id: 'two', state: 'undone', canUndo: false })];
  fetched.mockImplementation(async (input) =>
    Response.json(
      String(input).includes('before=')
        ? { items: [operation({ id: 'three', state: 'running', canUndo: false })], next: null }
        : { items, next: 'cursor' },
    ),
  );
  const model = new HistoryModel();
  const host = hostWith();
  render(<HistoryView model={model} host={host} filter={{ isMine: false, below: '' }} onFilter={vi.fn()} />);
  await model.show({ isMine: false, below: '' });
  expect(await screen.findAllByRole('listitem')).toHaveLength(2);
  expect(screen.getAllByText('Undone')).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
  expect(await screen.findAllByText('Running')).toHaveLength(1);
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
  await userEvent.click(screen.getByRole('button', { name: /^Undo: Moved/u }));
  expect(host.undo).toHaveBeenCalledExactlyOnceWith('one');
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(3));
});

test('an undo can be redone, and a redo undone', async () => {
  const undo = operation({ id: 'undo', kind: 'undo', undoes: 'move', original: operation() });
  const redo = operation({ id: 'redo', kind: 'undo', undoes: 'undo', original: operation() });
  fetched.mockImplementation(async () => Response.json({ items: [redo, undo], next: null }));
  const model = new HistoryModel();
  render(
    <HistoryView model={model} host={hostWith()} filter={{ isMine: false, below: '' }} onFilter={vi.fn()} />,
  );
  await model.show({ isMine: false, below: '' });
  const buttons = await screen.findAllByRole('button', { name: /^(?:Undo|Redo): / });
  expect(buttons.map((button) => button.textContent)).toEqual(['Undo', 'Redo']);
});

test('shows administrators the users, and no undo for changes of other users', async () => {
  fetched.mockImplementation(async () =>
    Response.json({ items: [operation({ isOwn: false, user: 'bob', canUndo: false })], next: null }),
  );
  const model = new HistoryModel();
  const onFilter = vi.fn();
  render(
    <HistoryView
      model={model}
      host={hostWith({ isAdministrator: true })}
      filter={{ isMine: false, below: '/docs' }}
      onFilter={onFilter}
    />,
  );
  await model.show({ isMine: false, below: '/docs' });
  expect(await screen.findAllByText('bob')).toHaveLength(1);
  expect(screen.queryByRole('button', { name: /^Undo/u })).toBeNull();
  expect(String(fetched.mock.calls[0]?.[0])).toContain('below=%2Fdocs');
  await userEvent.click(screen.getByRole('button', { name: 'Show all' }));
  expect(onFilter).toHaveBeenCalledExactlyOnceWith({ isMine: false, below: '' });
});
