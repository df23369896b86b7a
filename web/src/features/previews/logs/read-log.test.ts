import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadAppended, loadLogPart } from './read-log.ts';

let content = '';
beforeEach(() => {
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    const [, first = '0', last = '0'] =
      /bytes=(\d+)-(\d+)/.exec(new Headers(init.headers).get('range') ?? '') ?? [];
    const bytes = new TextEncoder().encode(content);
    if (Number(first) >= bytes.length) return new Response('', { status: 416 });
    return new Response(bytes.slice(Number(first), Number(last) + 1), { status: 206 });
  });
});
afterEach(() => vi.unstubAllGlobals());

test('loads whole lines of a part, and the parts before it without a gap', async () => {
  content = 'first line\nsecond line\nthird line\n';
  const end = await loadLogPart('/log', 15, content.length);
  expect(end).toEqual({ first: 23, end: content.length, text: 'third line\n' });
  const before = await loadLogPart('/log', 0, end.first);
  expect(before.text + end.text).toBe(content);
});

test('appends lines that were written since, and notices a file that was started again', async () => {
  content = 'one\n';
  const part = await loadLogPart('/log', 0, content.length);
  expect(await loadAppended('/log', part)).toEqual(part);
  content = 'one\ntwo\n';
  const longer = await loadAppended('/log', part);
  expect(longer).toEqual({ first: 0, end: 8, text: 'one\ntwo\n' });
  content = 'new';
  expect(longer && (await loadAppended('/log', longer))).toBeNull();
});
