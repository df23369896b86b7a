// Measures rebuilding the index from the records of a store, and prints one line of JSON. Started by `npm run bench -- trash`.
// Usage: tsx measure-rebuild.ts FOLDER [RECORDS] (an empty folder on the disk to be measured)
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { openDatabase } from '../../src/database/open-database.ts';
import { openDiskStorage } from '../../src/storage/disk/open-disk-storage.ts';
import { readLedgers } from '../../src/trash/read-ledgers.ts';

/** The results, in milliseconds. */
interface RebuildMeasurements {
  readonly records: number;
  readonly rebuildMs: number;
  /** Reading 10,000 further records, as the start after a crash does. */
  readonly startMs: number;
  /** The same in processor time, which other programs on the machine do not lengthen. */
  readonly rebuildCpuMs: number;
  readonly startCpuMs: number;
  /** Renaming the folder above all of them in the index. */
  readonly renameMs: number;
}

const [top = '', recordText = '200000'] = process.argv.slice(2);
const records = Number(recordText);
const laterRecords = 10_000;
const folders = 1_000;
const entriesPerFolder = 50_000;
const root = join(top, 'root');
fs.mkdirSync(root, { recursive: true });

const storage = await openDiskStorage({
  root,
  temporaryJournal: join(top, 'temporary-files'),
  storeRegistry: join(top, 'stores.json'),
});
fs.writeFileSync(join(root, 'first.txt'), '');
const cause = { operation: 'bench', act: 'delete', userId: 1, session: 'bench', time: Date.now() } as const;
const [first] = await storage.remove(virtualPath('/first.txt'), { keep: cause });
if (first === undefined) throw new Error('nothing was kept');
const store = join(root, '.filestead-trash');
const own = join(store, fs.readdirSync(store).find((name) => !name.includes('.')) ?? '');
const [ledger = ''] = fs.readdirSync(join(own, 'ledger'));
const template = JSON.parse(
  fs
    .readFileSync(join(own, 'ledger', ledger), 'utf8')
    .trim()
    .split('\n')
    .at(-1) ?? '',
) as Record<string, unknown>;

/** Adds entries to the store with their records, half of them versions of files. */
function addEntries(from: number, count: number): void {
  let lines: string[] = [];
  const write = (): void => {
    fs.appendFileSync(join(own, 'ledger', ledger), lines.join(''));
    lines = [];
  };
  for (let index = from; index < from + count; index++) {
    const id = randomBytes(16).toString('base64url');
    const name = `file ${index >> 1}.txt`;
    const folder = `${first?.folder ?? ''}-${1 + Math.floor(index / entriesPerFolder)}`;
    if (index === from || index % entriesPerFolder === 0)
      fs.mkdirSync(join(own, 'things', folder), { recursive: true });
    const storedName = `${id} ${name}`;
    fs.closeSync(fs.openSync(join(own, 'things', folder, storedName), 'w'));
    const act = index % 2 === 0 ? 'save' : 'delete';
    const record = {
      ...template,
      id,
      folder,
      storedName,
      place: `/all/folder ${(index >> 1) % folders}/sub/${name}`,
      cause: { ...cause, act },
      keptAt: cause.time + index,
    };
    lines.push(`\n${JSON.stringify(record)}\n`);
    if (lines.length === 10_000) write();
  }
  write();
}

/** Resolves to the time of `work` by clock and of the processor (milliseconds). */
async function timed(work: () => Promise<unknown>): Promise<{ ms: number; cpuMs: number }> {
  const [started, cpuStarted] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpuStarted);
  return { ms: performance.now() - started, cpuMs: (user + system) / 1000 };
}

addEntries(0, records);
const database = await openDatabase(join(top, 'filestead.db'));
try {
  const rebuild = await timed(() => readLedgers(database.trash, storage, Date.now()));
  const { entries } = await database.trash.summary(0);
  if (entries < records / 2) throw new Error(`the index has only ${entries} deleted entries`);
  addEntries(records, laterRecords);
  const start = await timed(() => readLedgers(database.trash, storage, Date.now()));
  const all = virtualPath('/all');
  const rename = await timed(() => database.trash.movePlaces(all, virtualPath('/renamed'), (name) => name));
  const result: RebuildMeasurements = {
    records,
    rebuildMs: rebuild.ms,
    startMs: start.ms,
    rebuildCpuMs: rebuild.cpuMs,
    startCpuMs: start.cpuMs,
    renameMs: rename.ms,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  await database.close();
  await storage.close();
}
