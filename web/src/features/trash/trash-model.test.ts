import type { TrashItem } from '@filestead/contract/endpoints/trash';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { problemResponse } from '../../api/test-responses.ts';
import { everything } from './load-trash.ts';
import { trashItem } from './test-items.ts';
import { TrashModel } from './trash-model.ts';

const fetched = vi.fn<typeof fetch>();
beforeEach(() => vi.stubGlobal('fetch', fetched));
afterEach(() => {
  fetched.mockReset();
  vi.unstubAllGlobals();
});

const page = (items: TrashItem[], next: string | null = null, total = items.length): Response =>
  Response.json({ items, next, total });
const lines = (values: object[]): Response =>
  new Response(values.map((value) => `${JSON.stringify(value)}\n`).join(''), {
    headers: { 'Content-Type': 'application/x-ndjson' },
  });
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => trashItem(name)) as [
  TrashItem,
  TrashItem,
  TrashItem,
  TrashItem,
];
const addresses = () => fetched.mock.calls.map(([input]) => new URL(String(input), 'http://x').search);

async function shown(...items: TrashItem[]): Promise<TrashModel> {
  const model = new TrashModel();
  fetched.mockResolvedValueOnce(page(items));
  await model.show(everything);
  return model;
}
const selected = (model: TrashModel) => model.selectedItems().map(({ name }) => name);

test('shows the first items at once and streams the others', async () => {
  const model = new TrashModel();
  const phases: [string, number][] = [];
  model.subscribe(() => phases.push([model.phase, model.count]));
  fetched.mockResolvedValueOnce(page([a, b], 'cursor', 4));
  fetched.mockResolvedValueOnce(lines([c, d, { end: true, next: null, total: 4 }]));
  await model.show(everything);
  expect(phases[0]).toEqual(['first', 4]);
  expect(phases.at(-1)).toEqual(['ready', 4]);
  expect(model.items.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  expect(addresses()).toEqual(['?limit=200', '?before=cursor']);
});

test('reads a long list in slices, also where one ends inside a character', async () => {
  const model = new TrashModel();
  const rest = Array.from({ length: 3000 }, (_, index) => trashItem(`été ${index}`));
  fetched.mockResolvedValueOnce(page([a], 'cursor', 3001));
  fetched.mockResolvedValueOnce(lines([...rest, { end: true, next: null, total: 3001 }]));
  await model.show(everything);
  expect([model.phase, model.count]).toEqual(['ready', 3001]);
  expect(model.items.slice(1).map(({ name }) => name)).toEqual(rest.map(({ name }) => name));
});

test('reports a list that was cut short, and keeps the items that arrived', async () => {
  const model = new TrashModel();
  fetched.mockResolvedValueOnce(page([a], 'cursor', 3));
  fetched.mockResolvedValueOnce(lines([b]));
  await model.show(everything);
  expect([model.phase, model.count]).toEqual(['truncated', 2]);
});

test('reports a failure of the first request', async () => {
  const model = new TrashModel();
  fetched.mockResolvedValueOnce(problemResponse(503, 'storage_unavailable'));
  await model.show(everything);
  expect([model.phase, model.error]).toMatchObject(['failed', { code: 'storage_unavailable' }]);
});

test('sends the filter, and forgets the selection of another one', async () => {
  const model = await shown(a, b);
  model.selectOnly(b.id);
  fetched.mockResolvedValueOnce(page([b]));
  await model.show({ isMine: true, query: 'b', below: '/Projects' });
  expect(addresses().at(-1)).toBe('?below=%2FProjects&by=me&q=b&limit=200');
  expect([model.count, model.selectedCount, model.cursor]).toEqual([1, 0, null]);
});

test('keeps the selection of remaining items when the list is loaded again', async () => {
  const model = await shown(a, b, c);
  model.selectAll();
  fetched.mockResolvedValueOnce(page([a, c]));
  await model.reload();
  expect(selected(model)).toEqual(['a', 'c']);
});

test('moves the cursor to the next item when its item is removed, else to the previous one', async () => {
  const model = await shown(a, b, c);
  model.selectOnly(b.id);
  model.remove(new Set([b.id]));
  expect([model.cursor, model.count, model.selectedCount]).toEqual([c.id, 2, 0]);
  model.remove(new Set([c.id]));
  expect(model.cursor).toBe(a.id);
});

test('selects ranges from the item that was chosen last', async () => {
  const model = await shown(a, b, c, d);
  model.selectOnly(b.id);
  model.rangeTo(d.id);
  expect(selected(model)).toEqual(['b', 'c', 'd']);
  model.rangeTo(a.id);
  expect(selected(model)).toEqual(['a', 'b']);
  model.toggle(d.id);
  model.rangeTo(c.id, { isAdded: true });
  expect(selected(model)).toEqual(['a', 'b', 'c', 'd']);
});

test('finds names by their first letters from the cursor on, wrapping around', async () => {
  const model = await shown(trashItem('Apple'), trashItem('pear'), trashItem('avocado'));
  expect(model.findByPrefix('a', 1)).toBe(2);
  expect(model.findByPrefix('ap', 2)).toBe(0);
  expect(model.findByPrefix('x', 0)).toBeNull();
});
