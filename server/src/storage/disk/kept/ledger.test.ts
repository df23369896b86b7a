import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeFolder, type Folder, openFolder } from '../paths/folder.ts';
import { Ledger, readLedger, readLedgerBatches } from './ledger.ts';

const time = Date.UTC(2026, 10, 21);
let top: string;
let folder: Folder;

beforeEach(async () => {
  top = fs.mkdtempSync(join(os.tmpdir(), 'filestead-ledger-'));
  folder = await openFolder('descriptor', top).async();
});
afterEach(() => {
  closeFolder(folder);
  fs.rmSync(top, { recursive: true, force: true });
});

async function written(): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const { value } of readLedger(folder)) values.push(value);
  return values;
}

test('a record that follows at once on a flushed one is written', async () => {
  const ledger = await Ledger.open(folder);
  await ledger.append([{ type: 'keep' }], time);
  ledger.appendUnflushed([{ type: 'end' }], time);
  await ledger.close();
  expect(await written()).toEqual([{ type: 'keep' }, { type: 'end' }]);
});

test('records of several months that are appended together are written in order, each to its file', async () => {
  const ledger = await Ledger.open(folder);
  const later = Date.UTC(2026, 11, 1);
  await Promise.all([
    ledger.append([{ number: 1 }], time),
    ledger.append([{ number: 2 }], later),
    // The clock was set back.
    ledger.append([{ number: 3 }], time),
  ]);
  await ledger.close();
  expect(fs.readdirSync(top).toSorted()).toEqual(['2026-11.jsonl', '2026-12.jsonl']);
  expect(await written()).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }]);
});

test('lines that are left out are not decoded, and the position follows them', async () => {
  const ledger = await Ledger.open(folder);
  const records = Array.from({ length: 5_000 }, (_, number) => ({
    type: number % 10 === 3 ? 'end' : 'keep',
    number,
  }));
  await ledger.append(records, time);
  await ledger.close();
  const file = join(top, '2026-11.jsonl');
  fs.appendFileSync(file, '\n{"type":"keep","nu');
  const skips = (line: Buffer): boolean => line.includes('"keep"');
  const read: unknown[] = [];
  let position = '';
  for await (const batch of readLedgerBatches(folder, { skips })) {
    for (const { value } of batch) if (value !== undefined) read.push(value);
    position = batch.at(-1)?.position ?? '';
  }
  expect(read).toEqual(records.filter(({ type }) => type === 'end'));
  expect(position).toBe(`2026-11.jsonl:${fs.statSync(file).size}`);
});
