import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { takeSharedFiles } from './shared-items.ts';
import { nameHeader } from './worker-names.ts';

const now = Date.UTC(2026, 10, 21, 14);
/** A minimal implementation of the browser's cache: URLs with their responses. */
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

function addShared(name: string, type: string, content: string, atMs = now): void {
  const headers = { 'Content-Type': type, [nameHeader]: encodeURIComponent(name) };
  store.set(
    `https://files.example/shared-items/${atMs}-${store.size + 1}`,
    new Response(content, { headers }),
  );
}

test('returns each shared file once, with its name and type', async () => {
  addShared('Straße 1/2.png', 'image/png', 'picture');
  addShared('notes.md', 'text/plain', 'notes');
  const files = await takeSharedFiles('Shared text', now);
  expect(files.map(({ name, type }) => [name, type])).toEqual([
    ['Straße 1 2.png', 'image/png'],
    ['notes.md', 'text/plain'],
  ]);
  expect(await takeSharedFiles('Shared text', now)).toEqual([]);
});

test('names a text by its title, else by the given default', async () => {
  addShared('Trams', 'text/plain', 'a');
  addShared('', 'text/plain', 'b');
  const files = await takeSharedFiles('Shared text', now);
  expect(files.map(({ name }) => name)).toEqual(['Trams.txt', 'Shared text.txt']);
});

test('deletes files that were shared more than an hour ago', async () => {
  addShared('old.txt', 'text/plain', 'old', now - 61 * 60 * 1000);
  addShared('new.txt', 'text/plain', 'new', now - 59 * 60 * 1000);
  const files = await takeSharedFiles('Shared text', now);
  expect(files.map(({ name }) => name)).toEqual(['new.txt']);
  expect(store.size).toBe(0);
});

test('returns nothing without a cache', async () => {
  vi.stubGlobal('caches', undefined);
  expect(await takeSharedFiles('Shared text', now)).toEqual([]);
});
