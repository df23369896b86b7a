import type { RestoreRequest, RestoreResult, TrashItem } from '@filestead/contract/endpoints/trash';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { loadTexts } from '../../../i18n/i18n.ts';
import { closeAllToasts, currentToasts } from '../../../ui/feedback/toast.ts';
import { trashItem } from '../test-items.ts';
import type { RestoreReply, TrashHost } from '../trash-host.ts';
import { TrashModel } from '../trash-model.ts';
import { restoreItems } from './restore-items.ts';

beforeAll(() => loadTexts('trash'));
afterEach(closeAllToasts);

type Answer = (item: string, conflict: RestoreRequest['conflict']) => RestoreResult;

function trash(answer: Answer, ...replies: RestoreReply[]) {
  const requests: RestoreRequest[] = [];
  const asked: [string, number][] = [];
  const removed: string[] = [];
  const revealed: string[] = [];
  const ended: string[] = [];
  const model = new TrashModel();
  vi.spyOn(model, 'remove').mockImplementation((ids) => removed.push(...ids));
  const host = {
    restore: async (request: RestoreRequest) => {
      requests.push(request);
      return request.ids.map((id) => answer(id, request.conflict));
    },
    askConflict: async ({ path }: { path: string }, remaining: number) => {
      asked.push([path, remaining]);
      return replies.shift() ?? { choice: 'cancel', forRemaining: false };
    },
    reveal: (path: string) => revealed.push(path),
    endShares: (hashes: readonly string[]) => ended.push(...hashes),
    user: { perm: { share: true } },
    reasonOf: () => 'The reason.',
  } as unknown as TrashHost;
  return { requests, asked, removed, revealed, ended, targets: { model, host } };
}
const plain = (text: string | undefined) => text?.replaceAll(/[⁦-⁩]/gu, '');
const messages = () => currentToasts().map(({ tone, message }) => [tone, plain(message)]);
const restoredTo = (id: string): RestoreResult => ({ id, path: `/Projects/${id.replaceAll('_', '')}` });
const items = ['a', 'b', 'c'].map((name) => trashItem(name)) as [TrashItem, TrashItem, TrashItem];

test('restores one item, removes it from the list, and offers to show it', async () => {
  const { requests, removed, revealed, targets } = trash(restoredTo);
  expect(await restoreItems([items[0]], null, targets)).toBe(1);
  expect(requests).toEqual([{ ids: [items[0].id], conflict: 'skip' }]);
  expect(removed).toEqual([items[0].id]);
  expect(messages()).toEqual([['success', 'Restored “a” to Projects']]);
  currentToasts()[0]?.action?.onAction();
  expect(revealed).toEqual(['/Projects/a']);
});

test('reports shares that work again, and ends them on request', async () => {
  const { ended, targets } = trash((id) => ({ id, path: '/Projects/a', links: ['one', 'two'] }));
  await restoreItems([items[0]], null, targets);
  expect(messages()).toEqual([['success', 'Restored “a” to Projects · 2 links work again']]);
  currentToasts()[0]?.secondAction?.onAction();
  expect(ended).toEqual(['one', 'two']);
});

test('restores into the chosen folder', async () => {
  const { requests, targets } = trash((id) => ({ id, path: '/Elsewhere/a' }));
  await restoreItems([items[0]], virtualPath('/Elsewhere'), targets);
  expect(requests).toEqual([{ ids: [items[0].id], conflict: 'skip', to: '/Elsewhere' }]);
});

test('replaces nothing without asking, and applies each choice', async () => {
  const taken: Answer = (id, conflict) =>
    conflict === 'skip' ? { id, error: 'already_exists' } : restoredTo(id);
  const { requests, asked, targets } = trash(
    taken,
    { choice: 'replace', forRemaining: false },
    { choice: 'skip', forRemaining: false },
    { choice: 'keep_both', forRemaining: false },
  );
  expect(await restoreItems(items, null, targets)).toBe(2);
  expect(asked).toEqual([
    ['/Projects/a', 2],
    ['/Projects/b', 1],
    ['/Projects/c', 0],
  ]);
  expect(requests.slice(1)).toEqual([
    { ids: [items[2].id], conflict: 'rename' },
    { ids: [items[0].id], conflict: 'replace' },
  ]);
  expect(messages()).toEqual([['success', '2 items restored']]);
});

test('applies a choice to the remaining conflicts, and leaves all in the trash when cancelled', async () => {
  const taken: Answer = (id, conflict) =>
    conflict === 'skip' ? { id, error: 'already_exists' } : restoredTo(id);
  const first = trash(taken, { choice: 'keep_both', forRemaining: true });
  await restoreItems(items, null, first.targets);
  expect(first.asked).toHaveLength(1);
  expect(first.requests.at(-1)).toEqual({ ids: items.map(({ id }) => id), conflict: 'rename' });
  closeAllToasts();
  const second = trash(taken);
  expect(await restoreItems(items, null, second.targets)).toBe(0);
  expect(second.requests).toHaveLength(1);
  expect(messages()).toEqual([]);
});

test('reports items that were not restored, and removes missing ones from the list', async () => {
  const { removed, targets } = trash((id) =>
    id === items[0].id ? restoredTo(id) : { id, error: id === items[1].id ? 'not_found' : 'forbidden' },
  );
  await restoreItems(items, null, targets);
  expect(removed).toEqual([items[0].id, items[1].id]);
  expect(messages()).toEqual([
    ['success', 'Restored “a” to Projects'],
    ['error', '2 of 3 items were not restored. The reason.'],
  ]);
});
