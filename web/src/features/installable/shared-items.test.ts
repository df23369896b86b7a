import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { takeSharedFiles } from './shared-items.ts';
import { nameHeader } from './worker-names.ts';

const now = Date.UTC(2026, 10, 21, 14);
/** As much of the browser's store as is needed: requests with their answers. */
const store = new Map<string, Response>();

beforeEach(() => {
  store.clear();
  const cache = {
    keys: () => Promise.resolve([...store.keys()].map((url) => ({ url }))),
    match: ({ url }: { url: string }) => Promise.resolve(store.get(url)),
    delete: ({ url }: { url: string }) => Promise.resolve(store.delete(url)),
  };
  vi.stubGlobal('caches', { open: () => Promise.resolve(cache) });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function keep(name: string, type: string, content: string, atMs = now): void {
  const headers = { 'Content-Type': type, [nameHeader]: encodeURIComponent(name) };
  store.set(
    `https://files.example/shared-items/${atMs}-${store.size + 1}`,
    new Response(content, { headers }),
  );
}

test('files come with their names and types, and are taken once', async () => {
  keep('Straße 1/2.png', 'image/png', 'picture');
  keep('notes.md', 'text/plain', 'notes');
  const files = await takeSharedFiles('Shared text', now);
  expect(files.map(({ name, type }) => [name, type])).toEqual([
    ['Straße 1 2.png', 'image/png'],
    ['notes.md', 'text/plain'],
  ]);
  expect(await takeSharedFiles('Shared text', now)).toEqual([]);
});

test('a text is named by its title, else by its kind', async () => {
  keep('Trams', 'text/plain', 'a');
  keep('', 'text/plain', 'b');
  const files = await takeSharedFiles('Shared text', now);
  expect(files.map(({ name }) => name)).toEqual(['Trams.txt', 'Shared text.txt']);
});

test('what nobody has asked for within an hour is thrown away', async () => {
  keep('old.txt', 'text/plain', 'old', now - 61 * 60 * 1000);
  keep('new.txt', 'text/plain', 'new', now - 59 * 60 * 1000);
  const files = await takeSharedFiles('Shared text', now);
  expect(files.map(({ name }) => name)).toEqual(['new.txt']);
  expect(store.size).toBe(0);
});

test('without a store there is nothing', async () => {
  vi.stubGlobal('caches', undefined);
  expect(await takeSharedFiles('Shared text', now)).toEqual([]);
});
