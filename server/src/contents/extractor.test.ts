import { afterEach, beforeEach, expect, test } from 'vitest';
import { makePage, makeWord } from './contents-testing.ts';
import { Extractor, ExtractorDied } from './extractor.ts';

let extractor: Extractor;
beforeEach(() => {
  extractor = new Extractor(true);
});
afterEach(() => extractor.close());

const maxMs = 20_000;
const textOf = async (
  bytes: Buffer,
  format: 'word' | 'pdf' | 'text',
  limitMs = maxMs,
): Promise<string | null> => {
  const documents = [{ bytes: Uint8Array.from(bytes), format }];
  const response = await extractor.run({ kind: 'texts', documents }, limitMs);
  const text = response.kind === 'texts' ? response.texts[0] : null;
  return text == null ? null : Buffer.from(text).toString();
};

test('a thread reads documents in their turn, in the form of the index', async () => {
  const texts = await Promise.all([
    textOf(makeWord('Straße', '写真'), 'word'),
    textOf(makePage('BT /F1 9 Tf (Page) Tj ET'), 'pdf'),
    textOf(Buffer.from([0, 1, 2]), 'text'),
  ]);
  expect(texts.map((text) => text?.trim().replaceAll(/\s+/g, ' ') ?? null)).toEqual([
    'strasse 写 真',
    'page',
    null,
  ]);
});

test('a thread reads several documents for one request', async () => {
  const documents = ['one', '', 'three'].map((text) => ({
    bytes: Uint8Array.from(Buffer.from(text)),
    format: 'text' as const,
  }));
  const response = await extractor.run({ kind: 'texts', documents }, maxMs);
  const texts = response.kind === 'texts' ? response.texts : [];
  expect(texts.map((text) => text && Buffer.from(text).toString())).toEqual(['one', null, 'three']);
});

test('a thread that ends while it starts fails its request, and the next one is answered', async () => {
  const failure = textOf(makeWord('first'), 'word');
  await Promise.resolve();
  extractor.close();
  await expect(failure).rejects.toThrow(ExtractorDied);
  extractor = new Extractor(true);
  expect(await textOf(makeWord('next'), 'word')).toBe('next\n');
});

test('a thread that takes too long is replaced', async () => {
  // Five million operators, which are 44 kB in the file.
  const slow = makePage('0 0 m '.repeat(5_000_000));
  const failure = textOf(slow, 'pdf', 200);
  await expect(failure).rejects.toThrow(ExtractorDied);
  expect(await textOf(makeWord('next'), 'word')).toBe('next\n');
});

test('a thread that needs too much memory is replaced', async () => {
  extractor.close();
  extractor = new Extractor(true, 48);
  // Each name becomes a text of its own.
  const names = Array.from({ length: 600_000 }, (_, i) => `/${i.toString(36)} 0`).join(' ');
  await expect(textOf(makePage(`<< ${names} >> TJ`), 'pdf')).rejects.toThrow(/memory/);
  expect(await textOf(makeWord('next'), 'word')).toBe('next\n');
});

test('a thread keeps the texts of files for further snippets', async () => {
  const request = {
    kind: 'snippet',
    key: 'a',
    format: 'word',
    terms: [{ words: ['one'], isPrefix: false }],
  } as const;
  expect(await extractor.run({ ...request, bytes: null }, maxMs)).toEqual({ kind: 'snippet', snippet: null });
  const made = { kind: 'snippet', snippet: { text: 'one two', matches: [[0, 3]] } };
  expect(await extractor.run({ ...request, bytes: Uint8Array.from(makeWord('one', 'two')) }, maxMs)).toEqual(
    made,
  );
  expect(await extractor.run({ ...request, bytes: null }, maxMs)).toEqual(made);
});

test('a closed extractor refuses requests', async () => {
  extractor.close();
  await expect(textOf(makeWord('x'), 'word')).rejects.toThrow(ExtractorDied);
});
