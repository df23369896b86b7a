// Measures the list of a trash with 100,000 entries as NDJSON, without HTTP, and prints one line of JSON. Started by
// `npm run bench -- trash`. Usage: tsx measure-list.ts FOLDER (an empty folder for the database)
import { join } from 'node:path';
import type { UserContext } from '../../src/access/user-context.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { openMemoryStorage } from '../../src/storage/memory/memory-storage.ts';
import { narrowTo } from '../../src/storage/views/narrow-to.ts';
import { trashAsRows } from '../../src/trash/list-trash.ts';
import { TrashView } from '../../src/trash/trash-view.ts';
import { addEntries } from './many-entries.ts';

/** The medians of the rounds, in milliseconds. */
interface ListMeasurements {
  /** Until the first rows, until the last, and the longest turn of the event loop. */
  readonly firstMs: number;
  readonly wholeMs: number;
  readonly turnMs: number;
}

const entries = 100_000;
const rounds = 5;

const [folder = ''] = process.argv.slice(2);
const database = await openDatabase(join(folder, 'trash.db'));
await addEntries(database.trash, entries, 1_000_000);
const perm = { admin: false, create: true, purge: true, download: true } as UserContext['user']['perm'];
const userContext = { user: { id: 1, perm }, sessionId: 'bench' } as UserContext;
const storage = narrowTo(await openMemoryStorage(), { allows: () => true, hideDotfiles: true, can: perm });
const view = new TrashView(database.trash, { userContext, storage, scopeSince: 0, showsOwnOnly: false });
const parts = {
  typeOf: () => 'text' as const,
  formatModified: String,
  usernameOf: () => Promise.resolve('alice'),
  expiryOf: () => null,
};

async function measureRound(): Promise<ListMeasurements> {
  let turnMs = 0;
  let isRunning = true;
  let turnStart = performance.now();
  const watch = (): void => {
    const now = performance.now();
    turnMs = Math.max(turnMs, now - turnStart);
    turnStart = now;
    if (isRunning) setImmediate(watch);
  };
  setImmediate(watch);
  const started = performance.now();
  let firstMs: number | null = null;
  for await (const _ of trashAsRows(view, { filter: {}, after: undefined, limit: Infinity }, parts)) {
    firstMs ??= performance.now() - started;
  }
  isRunning = false;
  return { firstMs: firstMs ?? NaN, wholeMs: performance.now() - started, turnMs };
}

const measured: ListMeasurements[] = [];
for (let round = 0; round < rounds; round++) measured.push(await measureRound());
await database.close();
const medianOf = (key: keyof ListMeasurements): number =>
  measured.map((round) => round[key]).toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? NaN;
const result: ListMeasurements = {
  firstMs: medianOf('firstMs'),
  wholeMs: medianOf('wholeMs'),
  turnMs: medianOf('turnMs'),
};
process.stdout.write(`${JSON.stringify(result)}\n`);
