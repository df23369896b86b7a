import { allPermissions } from '@filestead/contract/values/permissions';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { everything } from '../load-trash.ts';
import { trashItem } from '../test-items.ts';
import type { TrashHost } from '../trash-host.ts';
import { TrashModel } from '../trash-model.ts';
import { TrashList } from './trash-list.tsx';

const host: TrashHost = {
  user: {
    username: 'ada',
    perm: { ...allPermissions, admin: false, execute: false },
    singleClick: false,
    dateFormat: false,
  },
  isPhone: false,
  keptDays: 30,
  open: vi.fn(),
  reveal: vi.fn(),
  restore: vi.fn(),
  endShares: vi.fn(),
  chooseFolder: vi.fn(),
  askConflict: vi.fn(),
  notifyWithUndo: vi.fn(),
  reasonOf: () => '',
  undo: vi.fn(),
  redo: vi.fn(),
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Shows a list whose response arrives when the returned function is called. */
function showLoading(): (names: readonly string[]) => Promise<void> {
  let respond: (response: Response) => void = () => undefined;
  const response = new Promise<Response>((resolve) => {
    respond = resolve;
  });
  vi.stubGlobal('fetch', () => response);
  const model = new TrashModel();
  const loaded = model.show(everything);
  const handle = { current: null };
  render(
    <TrashList model={model} host={host} onMenu={vi.fn()} emptyState={<p>empty</p>} handleRef={handle} />,
  );
  return (names) =>
    act(async () => {
      const items = names.map((name) => trashItem(name));
      respond(Response.json({ items, next: null, total: items.length }));
      await loaded;
    });
}
const advance = (ms: number) => act(() => vi.advanceTimersByTime(ms));

test('rows replace the placeholder at once, so that they do not move while they are clicked', async () => {
  const respond = showLoading();
  advance(200);
  expect(screen.queryByText('Loading…')).not.toBeNull();
  await respond(['plan.txt']);
  expect(screen.queryByText('plan.txt')).not.toBeNull();
  expect(screen.queryByText('Loading…')).toBeNull();
});

test('an empty list shows its text after the placeholder, not below it', async () => {
  const respond = showLoading();
  advance(200);
  await respond([]);
  expect(screen.queryByText('empty')).toBeNull();
  advance(300);
  expect(screen.queryByText('Loading…')).toBeNull();
  expect(screen.queryByText('empty')).not.toBeNull();
});
