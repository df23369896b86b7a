import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { measureKilledJob } from './keeping/killed-job.ts';
import { measureLargeFolders } from './keeping/large-folders.ts';
import { measureListInPage } from './keeping/list-in-page.ts';
import { measureStartsAfterCrash } from './keeping/start-after-crash.ts';
import { asMs, type Row, rowAgainst, rowWithin } from './measure.ts';

const run = promisify(execFile);

/** Runs a script that measures in the empty `folder`. Resolves to its results. */
async function measureIn<Name extends string>(
  script: string,
  folder: string,
  ...args: readonly string[]
): Promise<Record<Name, number>> {
  const path = join(import.meta.dirname, '../server/test/trash', script);
  await mkdir(folder);
  const { stdout } = await run(process.execPath, ['--import', 'tsx', path, folder, ...args]);
  await rm(folder, { recursive: true });
  return JSON.parse(stdout) as Record<Name, number>;
}

/** The maximum time of a deletion (milliseconds), independent of the contents of the folder. */
const maxFolderMs = 100;
/** The number of flushes that 10,000 deletions of one job may need. */
const maxFlushes = 25;
/** Limits of the list of 100,000 entries (milliseconds): first rows, all rows, longest turn of the event loop. */
const maxList = { first: 50, whole: 1_000, turn: 20 } as const;

/** The maximum time of the list of 1,000 versions (milliseconds). */
const maxListMs = 100;
/** The maximum time of rebuilding the index of 1,000,000 records (milliseconds). */
const maxRebuildMs = 60_000;
/** The time that 10,000 unread records may add to a start (milliseconds). */
const maxAddedStartMs = 50;
/** The maximum time of the rename of a folder above all records, in the index (milliseconds). */
const maxPlaceRenameMs = 20;
/** The number of records of the measured index. */
const rebuiltRecords = process.env.FILESTEAD_BENCH_RECORDS ?? '200000';

/** The number of files of the folders that are removed forever, and copied by a job that is killed. */
const largeFiles = Number(process.env.FILESTEAD_BENCH_FILES ?? '100000');

/** The measurements of replacing files, with and without a version, and of a list of versions. */
type ReplacementKey =
  | 'newKeptMs'
  | 'newPlainMs'
  | 'smallKeptMs'
  | 'smallPlainMs'
  | 'largeKeptMs'
  | 'largePlainMs'
  | 'listMs';

/** Measures moving entries to the trash on the disk storage, without HTTP, against unlinking them. */
export async function measureTrash(root: string): Promise<Row[]> {
  const measured = await measureIn<
    | 'folderMs'
    | 'renameMs'
    | 'restoreMs'
    | 'jobMs'
    | 'singlyMs'
    | 'removeMs'
    | 'jobClockMs'
    | 'removeClockMs'
    | 'jobFlushes'
    | ReplacementKey
  >('measure-trash.ts', join(root, 'trash'));
  const { folderMs, renameMs, restoreMs, jobMs, singlyMs, removeMs, jobFlushes } = measured;
  const job = await measureIn<'trashMs' | 'permanentMs'>('measure-job.ts', join(root, 'trash-job'));
  const { firstMs, wholeMs, turnMs } = await measureIn<'firstMs' | 'wholeMs' | 'turnMs'>(
    'measure-list.ts',
    join(root, 'trash-list'),
  );
  const index = await measureIn<
    'records' | 'rebuildMs' | 'startMs' | 'rebuildCpuMs' | 'startCpuMs' | 'renameMs'
  >('measure-rebuild.ts', join(root, 'trash-rebuild'), rebuiltRecords);
  const starts = await measureStartsAfterCrash(join(root, 'trash-start'));
  const { records, rebuildMs } = index;
  const rebuildLimitMs = (maxRebuildMs * records) / 1_000_000;
  const maxStartMs = starts.plainMs + maxAddedStartMs;
  const startNote = { note: `${asMs(starts.plainMs)} without these records + ${asMs(maxAddedStartMs)}` };
  return [
    rowWithin('trash, a folder of 200,000 files', folderMs, maxFolderMs, {
      note: `bare rename ${asMs(renameMs)}`,
    }),
    rowWithin('trash, restoring that folder', restoreMs, maxFolderMs),
    rowAgainst('trash, 10,000 files by one job, processor time', jobMs, removeMs, {
      note: 'unlinking',
      limit: '≤ 1.5',
    }),
    rowAgainst('trash, 10,000 files by one job, by clock', measured.jobClockMs, measured.removeClockMs, {
      note: 'unlinking',
      limit: '≤ 1.5',
    }),
    rowAgainst(
      'trash, request of 10,000 deletions in one job of the server, by clock',
      job.trashMs,
      job.permanentMs,
      {
        note: 'the same job with --trash off',
        limit: '≤ 1.5',
      },
    ),
    rowWithin('trash, flushes of that job', jobFlushes, maxFlushes, { format: String }),
    {
      measurement: 'trash, 10,000 files one by one, processor time',
      ours: asMs(singlyMs),
      reference: `${asMs(removeMs)} unlinking`,
    },
    rowWithin('trash, list of 100,000 entries, first rows', firstMs, maxList.first),
    rowWithin('trash, list of 100,000 entries, as NDJSON', wholeMs, maxList.whole),
    rowWithin('trash, list of 100,000 entries, longest turn of the event loop', turnMs, maxList.turn),
    rowAgainst('versions, a new file of 4 KiB', measured.newKeptMs, measured.newPlainMs, {
      note: 'without versions',
      limit: '≤ 1.02',
    }),
    rowAgainst('versions, 4 KiB replaced', measured.smallKeptMs, measured.smallPlainMs, {
      note: 'without a version',
      limit: '≤ 1.1',
    }),
    rowAgainst('versions, 1 MiB replaced', measured.largeKeptMs, measured.largePlainMs, {
      note: 'without a version',
      limit: '≤ 1.02',
    }),
    rowWithin('versions, a list of 1,000', measured.listMs, maxListMs),
    rowWithin(`trash, index of ${records.toLocaleString('en')} records rebuilt`, rebuildMs, rebuildLimitMs, {
      note: `processor time ${asMs(index.rebuildCpuMs)}`,
    }),
    rowWithin(
      'trash, first response of a start with 10,000 records that the index does not contain',
      starts.unknownMs,
      maxStartMs,
      startNote,
    ),
    rowWithin(
      'trash, first response of a start after a crash after 10,000 deletions',
      starts.recordsMs,
      maxStartMs,
      startNote,
    ),
    {
      measurement: 'trash, its first rows after such a start',
      ours: asMs(starts.listedMs),
      reference: `reading the records meanwhile (processor time ${asMs(index.startCpuMs)})`,
    },
    rowWithin('trash, renaming the folder above all records', index.renameMs, maxPlaceRenameMs),
    ...(await measureListInPage(join(root, 'trash-page'))),
    ...(await measureLargeFolders(join(root, 'trash-folders'), largeFiles)),
    ...(await measureKilledJob(join(root, 'trash-killed'), largeFiles)),
  ];
}
