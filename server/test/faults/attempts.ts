import { join } from 'node:path';
import { type Change, type Files, findLosses, writeFiles, readTree, treeOf } from './trees.ts';
import { type Client, settleJobs } from './client.ts';
import type { RealServer } from './real-server.ts';

/** A job as it is after a restart. */
interface SettledJob {
  readonly id: string;
  readonly state: string;
  readonly failures: readonly unknown[];
  readonly results: readonly { readonly path: string }[];
}

/** Resolves to the newest job if it is on entries below `at`; null if the server has accepted none. */
async function settledJob(client: Client, at: string): Promise<SettledJob | null> {
  const [newest] = await settleJobs(client);
  if (newest === undefined) return null;
  const job = await client.json<SettledJob>(`/jobs/${newest}`);
  return job.results.some(({ path }) => path.startsWith(`${at}/`)) ? job : null;
}

/** The environment of the attempts. */
export interface TestEnvironment {
  readonly client: Client;
  /** The served folder. */
  readonly root: string;
  /** A folder below the served one on another disk; null without one. */
  readonly otherDisk: string | null;
  server: RealServer;
}

/** One operation on its own files or records, which may be interrupted by a kill. */
export interface Attempt {
  /** Resolves when the server has reported success. */
  run(): Promise<void>;
  /** Returns the losses and inconsistencies after the server was restarted. */
  check(hasResponse: boolean): Promise<string[]>;
  /** The folder with the files that were created for it, which the caller removes; null if there is none. */
  readonly folder: string | null;
}

export interface Operation {
  readonly name: string;
  /** Whether it needs a second disk. */
  readonly needsOtherDisk?: boolean;
  /** Whether it stores a small file, which another thread does once that is running. */
  readonly isSmallUpload?: boolean;
  /** Whether its effect is only in the database when the server is killed, or its plan is read from there. */
  readonly needsDatabase?: boolean;
  prepare(environment: TestEnvironment, number: number): Promise<Attempt>;
}

interface FileOperation extends Pick<Change, 'whole'>, Pick<Operation, 'isSmallUpload'> {
  readonly name: string;
  readonly before: Files;
  readonly after: Files;
  /** Whether it is a job, which has to be completed after the restart once the server has accepted it. */
  readonly isJob?: boolean;
  /** `at` is the virtual path of the folder that contains the files. */
  run(client: Client, at: string): Promise<void>;
}

/** An operation on files in a separate folder, checked against the disk and the server's listing. */
export function fileOperation({
  name,
  before,
  after,
  whole,
  isJob,
  run,
  isSmallUpload = false,
}: FileOperation): Operation {
  const change: Change = {
    before: treeOf(before),
    after: treeOf(after),
    ...(whole === undefined ? {} : { whole }),
  };
  return {
    name,
    isSmallUpload,
    async prepare({ client, root }, number) {
      const at = `/w${number}`;
      const folder = join(root, at);
      writeFiles(folder, before);
      return {
        folder,
        run: () => run(client, at),
        async check(hasResponse) {
          const job = isJob === true ? await settledJob(client, at) : null;
          const { tree } = readTree(folder);
          const losses = findLosses(change, tree, hasResponse || job !== null);
          if (job !== null && (job.state !== 'done' || job.failures.length > 0))
            losses.push(`the job ended as ${job.state} with ${JSON.stringify(job.failures)}`);
          return [...losses, ...(await compareListing(client, at, tree))];
        },
      };
    },
  };
}

/** Checks that the server's listing matches the disk and contains nothing unfinished. */
export async function compareListing(
  client: Client,
  at: string,
  tree: ReadonlyMap<string, string | null>,
): Promise<string[]> {
  const problems: string[] = [];
  const folders = ['', ...[...tree].filter(([, hash]) => hash === null).map(([path]) => path)];
  for (const folder of folders) {
    const { items } = await client.json<{ items: { name: string }[] }>(`/resources${at}/${folder}`);
    const listed = items.map((item) => item.name).toSorted();
    const prefix = folder === '' ? '' : `${folder}/`;
    const onDisk = [...tree.keys()]
      .filter((path) => path.startsWith(prefix) && !path.slice(prefix.length).includes('/'))
      .map((path) => path.slice(prefix.length))
      .filter((name) => name !== '')
      .toSorted();
    if (JSON.stringify(listed) !== JSON.stringify(onDisk))
      problems.push(`${at}/${folder} lists ${String(listed)}`);
  }
  return problems;
}

interface StateOperation<T> extends Pick<Operation, 'needsDatabase'> {
  readonly name: string;
  /** Creates the files or records that the operation works on. */
  prepare(environment: TestEnvironment, number: number): Promise<T>;
  run(client: Client, state: T): Promise<void>;
  /** Returns the visible state, before and after. */
  read(client: Client, state: T): Promise<string>;
  /** Returns the visible state after success. */
  expected(state: T): string;
}

/** An operation on the database, which must have happened completely or not at all. */
export function stateOperation<T>({
  name,
  needsDatabase = false,
  prepare,
  run,
  read,
  expected,
}: StateOperation<T>): Operation {
  return {
    name,
    needsDatabase,
    async prepare(environment, number) {
      const state = await prepare(environment, number);
      const before = await read(environment.client, state);
      return {
        folder: null,
        run: () => run(environment.client, state),
        async check(hasResponse) {
          const found = await read(environment.client, state);
          const allowed = hasResponse ? [expected(state)] : [before, expected(state)];
          return allowed.includes(found) ? [] : [`found “${found}” instead of “${allowed.join('” or “')}”`];
        },
      };
    },
  };
}
