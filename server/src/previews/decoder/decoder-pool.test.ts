import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { quartersJpeg, quartersPicture, wrongCorner } from '../previews-testing.ts';
import { type DecoderPool, openDecoderPool } from './decoder-pool.ts';
import { DecoderEndedError, DecoderStartError, startDecoder } from './decoder.ts';

const request = { kind: 'jpeg', size: 'thumb', isForBrowser: false, orientation: null, part: null } as const;
const jpeg = await quartersJpeg(600, 400);
let pool: DecoderPool | undefined;
afterEach(() => pool?.close());

test('decodes pictures from bytes and from a part of a file, one after the other', async () => {
  pool = openDecoderPool();
  const folder = await mkdtemp(join(tmpdir(), 'filestead-decoder-'));
  try {
    const sent = await pool.run(request, jpeg);
    expect([sent.json.outcome, await wrongCorner(sent.bytes)]).toEqual(['made', null]);
    const address = join(folder, 'container');
    await writeFile(address, Buffer.concat([Buffer.alloc(100), jpeg, Buffer.alloc(100)]));
    const part = { address, position: 100, length: jpeg.length };
    const read = await pool.run({ ...request, part }, Buffer.alloc(0));
    expect(read.bytes).toEqual(sent.bytes);
    const missing = { ...part, address: join(folder, 'nothing') };
    expect((await pool.run({ ...request, part: missing }, Buffer.alloc(0))).json.outcome).toBe('unopened');
    expect(pool.size).toBe(1);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('starts one process per concurrent request, and a broken picture affects no other', async () => {
  pool = openDecoderPool();
  const outcomes = await Promise.all(
    [jpeg, jpeg.subarray(0, 900), Buffer.from('nonsense')].map(
      async (bytes) => (await pool?.run(request, bytes))?.json.outcome,
    ),
  );
  expect(outcomes).toEqual(['made', 'unreadable', 'unreadable']);
  expect(pool.size).toBe(3);
  expect((await pool.run(request, jpeg)).json.outcome).toBe('made');
});

test('kills a process that takes too long, and starts another one for the next picture', async () => {
  // No process starts and decodes a picture of this size in this time.
  const large = await quartersPicture(2000, 2000).png({ compressionLevel: 1 }).toBuffer();
  pool = openDecoderPool({ timeoutMs: 20 });
  await expect(pool.run({ ...request, kind: 'png', size: 'big' }, large)).rejects.toThrow(DecoderEndedError);
  expect(pool.size).toBe(0);
});

test('distinguishes a process that cannot start from one that ends while it decodes', async () => {
  const decoderOf = (code: string) => () => startDecoder(['--input-type=module', '--eval', code]);
  pool = openDecoderPool({ start: decoderOf('import "a library that is missing"') });
  await expect(pool.run(request, jpeg)).rejects.toThrow(DecoderStartError);
  await expect(pool.run(request, jpeg)).rejects.toThrow(/libvips does not start on /);
  pool = openDecoderPool({ start: decoderOf('process.kill(process.pid, "SIGSEGV")') });
  const crash: unknown = await pool.run(request, jpeg).catch((error: unknown) => error);
  expect(crash).toBeInstanceOf(DecoderEndedError);
  expect(crash).not.toBeInstanceOf(DecoderStartError);
});

test('starts processes in advance, which decode the first pictures', async () => {
  pool = openDecoderPool();
  pool.warmUp(2);
  pool.warmUp(2);
  expect(pool.size).toBe(2);
  const responses = await Promise.all([pool.run(request, jpeg), pool.run(request, jpeg)]);
  expect(responses.map(({ json }) => json.outcome)).toEqual(['made', 'made']);
  expect(pool.size).toBe(2);
});

test('starts no process in advance after it was closed', () => {
  pool = openDecoderPool();
  pool.close();
  pool.warmUp(2);
  expect(pool.size).toBe(0);
});

test('ends an idle process, and all processes when it is closed', async () => {
  pool = openDecoderPool({ idleMs: 50 });
  await pool.run(request, jpeg);
  await expect.poll(() => pool?.size).toBe(0);
  const running = pool.run(request, jpeg);
  pool.close();
  await expect(running).rejects.toThrow(DecoderEndedError);
});
