import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { KeptEntry } from '../../kept/kept-entries.ts';
import type { Storage } from '../../storage.ts';
import { installCrashSwitch } from '../../testing/crash-switch.ts';
import { causeOf, keep, recordsOf } from '../../testing/kept-testing.ts';
import { path } from '../../testing/storage-testing.ts';
import { writeTree } from '../../testing/temporary-disk.ts';
import { openDiskStorage } from '../open-disk-storage.ts';

let top: string;
let storage: Storage;

const open = (): Promise<Storage> =>
  openDiskStorage({ root: join(top, 'root'), storeRegistry: join(top, 'stores.json') });
const [september, october, november] = [8, 9, 10].map((month) => Date.UTC(2026, month, 5));
const names = Array.from({ length: 24 }, (_, index) => `/f${index}.txt`);

beforeEach(async () => {
  top = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), 'filestead-compact-')));
  fs.mkdirSync(join(top, 'root'));
  writeTree(join(top, 'root'), {
    ...Object.fromEntries(names.map((name) => [name, name])),
    '/docs/a.txt': 'a',
    '/docs/b.txt': 'b',
  });
  storage = await open();
});
afterEach(async () => {
  await storage.close();
  fs.rmSync(top, { recursive: true, force: true });
});

const keepAt = (name: string, time: number | undefined): Promise<KeptEntry> =>
  keep(storage, name, { keep: { ...causeOf(), time: time ?? 0 } });

function ledgerFolder(): string {
  const store = join(top, 'root/.filestead-trash');
  const installation = fs.readdirSync(store).find((name) => name.length === 22) ?? '';
  return join(store, installation, 'ledger');
}
/** The numbers of lines of the files of the ledger, by month. */
const lines = (): Record<string, number> =>
  Object.fromEntries(
    fs
      .readdirSync(ledgerFolder())
      .map((name) => [
        name,
        fs.readFileSync(join(ledgerFolder(), name), 'utf8').split('\n').filter(Boolean).length,
      ]),
  );

/** Opens the storage again, which repairs what was interrupted, and compacts up to the end of the ledger. */
async function compact(): Promise<void> {
  await storage.close();
  storage = await open();
  const position = (await recordsOf(storage, { includesPast: true })).at(-1)?.position ?? '';
  await storage.compact(path('/'), position);
}

/** Returns the records of the entries that are in the store. */
async function recorded(): Promise<unknown[]> {
  const kept = new Set<string>();
  const found: unknown[] = [];
  for (const record of await recordsOf(storage)) {
    if (record.kind === 'keep') {
      kept.add(record.entry.id);
      found.push(record.entry);
    } else if (record.kind === 'annotation' && kept.has(record.id)) found.push({ ...record, position: '' });
  }
  return found;
}

test('files without entries are removed, and those with few are rewritten', async () => {
  const gone: KeptEntry[] = [];
  for (const name of names.slice(0, 4)) gone.push(await keepAt(name, september));
  for (const name of names.slice(4, 11)) gone.push(await keepAt(name, october));
  const stays = gone.pop();
  const last = await keepAt(names[11] ?? '', november);
  await storage.purge(gone);
  await compact();
  expect(lines()).toEqual({ '2026-10.jsonl': 1, '2026-11.jsonl': expect.any(Number) });
  expect(await recorded()).toEqual([stays, last]);
  expect((await storage.stores())[0]).toMatchObject({ entries: 2, withoutRecord: 0, withoutEntry: 0 });
});

test('files of the current month, and files that are mostly needed, stay as they are', async () => {
  await keepAt(names[0] ?? '', october);
  const second = await keepAt(names[1] ?? '', october);
  const third = await keepAt(names[2] ?? '', november);
  await storage.purge([second, third]);
  await storage.close();
  storage = await open();
  const before = lines();
  await compact();
  expect(lines()).toEqual(before);
});

test('ends of entries of another file stay while that file describes them', async () => {
  const first = await keepAt(names[0] ?? '', september);
  const second = await keepAt(names[1] ?? '', september);
  await keepAt(names[2] ?? '', october);
  const gone: KeptEntry[] = [];
  for (const name of names.slice(3, 23)) gone.push(await keepAt(name, october));
  await storage.restore(first, path('/back.txt'), { conflict: 'fail', createParents: true });
  await storage.record({ kind: 'annotation', entry: second, label: 'sent', keepsForever: true });
  await keepAt(names[23] ?? '', november);
  await storage.purge(gone);
  await compact();
  expect(lines()).toMatchObject({ '2026-09.jsonl': 2, '2026-10.jsonl': 4 });
});

test('moves and restored folders stay while they concern an entry', async () => {
  const file = await keepAt('/docs/a.txt', september);
  const folder = await keepAt('/docs', september);
  await storage.restore(folder, path('/papers'), { conflict: 'fail', createParents: true });
  await storage.record({ kind: 'move', from: path('/papers'), to: path('/plans'), number: september ?? 0 });
  const gone: KeptEntry[] = [];
  for (const name of names.slice(0, 23)) gone.push(await keepAt(name, september));
  await keepAt(names[23] ?? '', november);
  await storage.purge(gone);
  await compact();
  const kinds = (await recordsOf(storage, { includesPast: true })).map(({ kind }) => kind);
  expect(kinds.slice(0, 5)).toEqual(['keep', 'past', 'restore', 'end', 'move']);
  expect(lines()['2026-09.jsonl']).toBe(5);
  await storage.purge([file]);
  await compact();
  expect(Object.keys(lines())).toEqual(['2026-11.jsonl']);
});

test('a crash at any call leaves the ledger in its old or its new state', async () => {
  const gone: KeptEntry[] = [];
  for (const name of names.slice(0, 4)) gone.push(await keepAt(name, september));
  for (const name of names.slice(4, 10)) gone.push(await keepAt(name, october));
  const annotated = await keepAt(names[10] ?? '', october);
  await storage.record({ kind: 'annotation', entry: annotated, label: 'sent', keepsForever: true });
  await keepAt(names[11] ?? '', november);
  await storage.purge(gone);
  const before = await recorded();
  const saved = join(top, 'saved');
  await storage.close();
  fs.cpSync(ledgerFolder(), saved, { recursive: true });
  let calls = Infinity;
  for (let point = 1; point <= calls; point++) {
    fs.rmSync(ledgerFolder(), { recursive: true });
    fs.cpSync(saved, ledgerFolder(), { recursive: true });
    storage = await open();
    const position = (await recordsOf(storage)).at(-1)?.position ?? '';
    const power = installCrashSwitch();
    power.arm(point);
    const work = storage.compact(path('/'), position);
    await Promise.race([work, power.off]);
    if (!power.isOff) calls = power.count;
    power.remove();
    storage = await open();
    expect(await recorded(), `call ${point}`).toEqual(before);
    await compact();
    expect(Object.keys(lines()), `call ${point}`).toEqual(['2026-10.jsonl', '2026-11.jsonl']);
    expect(await recorded(), `call ${point}`).toEqual(before);
    await storage.close();
  }
  expect(calls).toBeGreaterThan(4);
  storage = await open();
});
