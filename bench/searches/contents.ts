import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { type Product, signInByApi, startProduct } from '../../e2e/support/product.ts';
import { asMiB, percentile, residentBytes, type Row, rowWithin } from '../measure.ts';

/** The number of documents, and the number of words of each. */
const documents = 10_000;
const wordsPerDocument = 900;
/** The number of different words. */
const vocabulary = 20_000;
const searches = 40;

/** The limits: bytes of text per second, milliseconds, bytes. */
const limits = { bytesPerSecond: 5e6, p95Ms: 100, bombMs: 10_000, bombBytes: 256 * 1024 * 1024 } as const;

/** The limit for the bomb, including the time before it is read. */
const maxBombMs = limits.bombMs * 1.2;

/** The word with a number; small numbers are frequent words. */
const wordOf = (number: number): string => `w${number.toString(36)}`;
const randomWord = (): string => wordOf(Math.floor(vocabulary * Math.random() ** 3));

/** Writes the documents, 100 in each folder. Returns the bytes of text. */
async function makeDocuments(root: string): Promise<number> {
  let bytes = 0;
  for (let i = 0; i < documents; i++) {
    const folder = join(root, `folder ${Math.floor(i / 100)}`);
    if (i % 100 === 0) await mkdir(folder);
    const text = Array.from({ length: wordsPerDocument }, randomWord).join(' ');
    bytes += text.length;
    await writeFile(join(folder, `document ${i}.txt`), text);
  }
  return bytes;
}

/** Returns a PDF of some kilobytes whose page takes minutes to read. */
function makeBomb(): Buffer {
  const content = deflateSync(Buffer.alloc(30_000_000, 'BT /F (a) Tj ET /X Do '));
  const parts = [
    '%PDF-1.7\n1 0 obj << /Pages 2 0 R >> endobj 2 0 obj << /Kids [3 0 R] >> endobj\n' +
      '3 0 obj << /Contents 4 0 R /Resources << /XObject << /X 4 0 R >> >> >> endobj\n' +
      `4 0 obj << /Subtype /Form /Filter /FlateDecode /Length ${content.length} >>\nstream\n`,
    content,
    '\nendstream endobj trailer << /Root 1 0 R >>\n',
  ];
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

interface SearchResponse {
  readonly percent: number | null;
}

async function search(product: Product, token: string, query: string): Promise<SearchResponse> {
  const response = await fetch(`${product.url}/api/contents/?query=${encodeURIComponent(query)}`, {
    headers: { 'X-Auth': token },
  });
  return (await response.json()) as SearchResponse;
}

async function waitUntilRead(product: Product, token: string): Promise<void> {
  while ((await search(product, token, 'nothing')).percent !== 100) await sleep(100);
}

/** Uploads a PDF made to exhaust time, and returns the time and the memory that reading it has taken. */
async function readBomb(product: Product, token: string): Promise<{ ms: number; bytes: number }> {
  const before = await residentBytes(product.pid);
  await fetch(`${product.url}/api/resources/bomb.pdf`, {
    method: 'POST',
    headers: { 'X-Auth': token },
    body: Uint8Array.from(makeBomb()),
  });
  const startedAt = performance.now();
  let peak = before;
  do {
    await sleep(100);
    peak = Math.max(peak, await residentBytes(product.pid));
  } while (
    performance.now() - startedAt < 2_000 ||
    (await search(product, token, 'nothing')).percent !== 100
  );
  return { ms: performance.now() - startedAt, bytes: peak - before };
}

/** Measures the search in contents: the reading of documents, searches, and a document made to exhaust time. */
export async function measureContents(folder: string): Promise<Row[]> {
  const root = join(folder, 'contents');
  await mkdir(root);
  const data = await mkdtemp(join(tmpdir(), 'filestead-bench-data-'));
  const bytes = await makeDocuments(root);
  const product = await startProduct(root, {
    data,
    args: ['--contentSearch', 'on', '--catalogueBudget', 'full'],
  });
  try {
    const token = await signInByApi(product, 'admin', product.password);
    while ((await search(product, token, 'nothing')).percent === null) await sleep(50);
    const startedAt = performance.now();
    await waitUntilRead(product, token);
    const bytesPerSecond = bytes / ((performance.now() - startedAt) / 1000);
    const times: number[] = [];
    for (let i = 0; i < searches; i++) {
      const searchedAt = performance.now();
      await search(product, token, `"${randomWord()}" "${randomWord()}"`);
      times.push(performance.now() - searchedAt);
    }
    const p95Ms = percentile(times, 0.95);
    const bomb = await readBomb(product, token);
    const title = `contents of ${documents.toLocaleString('en')} documents`;
    const rate = (value: number): string => `${(value / 1e6).toFixed(1)} MB/s`;
    return [
      {
        measurement: `${title}, reading`,
        ours: rate(bytesPerSecond),
        reference: rate(limits.bytesPerSecond),
        ratio: bytesPerSecond / limits.bytesPerSecond,
        limit: '≥ 1',
      },
      rowWithin(`${title}, searches of two words, 95th percentile`, p95Ms, limits.p95Ms),
      rowWithin(`${title}, a PDF made to exhaust time`, bomb.ms, maxBombMs),
      rowWithin(`${title}, its memory`, bomb.bytes, limits.bombBytes, { format: asMiB }),
    ];
  } finally {
    await product.stop();
    await rm(data, { recursive: true });
  }
}
