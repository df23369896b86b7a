import fs from 'node:fs';
import { join } from 'node:path';
import { type Operation, stateOperation, type TestEnvironment } from './attempts.ts';
import { type Client, settleJobs } from './client.ts';
import { writeFiles } from './trees.ts';

/** A folder whose files, deleted entries and versions are compared. */
interface KeptFolder {
  /** Virtual path. */
  readonly path: string;
  /** On the disk. */
  readonly folder: string;
  /** Unix milliseconds before the first change that is undone. */
  readonly since: number;
  /** The operations that are undone, the latest first. */
  readonly operations: readonly string[];
  /** The ids of deleted entries. */
  readonly trash: readonly string[];
}

interface TrashList {
  readonly items: readonly { readonly id: string; readonly path: string; readonly isDir: boolean }[];
}

interface VersionList {
  readonly versions: readonly { readonly id: string }[];
}

/** Returns the contents of all files in the folder, in the trash and among the versions, each with its place. */
async function describeFolder(client: Client, { path, folder }: KeptFolder): Promise<string> {
  const found: string[] = [];
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const name = file.slice(folder.length);
    found.push(`${name}=${fs.readFileSync(file, 'utf8')}`);
    const { versions } = await client.json<VersionList>(`/versions/list${path}${name}`);
    for (const { id } of versions) {
      const response = await client.send('GET', `/versions/raw/${id}`);
      // A restored version is in the list until it is requested, if the server was killed before it removed it.
      if (response.ok) found.push(`version of ${name}=${await response.text()}`);
    }
  }
  const { items } = await client.json<TrashList>(`/trash?below=${encodeURIComponent(path)}`);
  for (const { id, path: place, isDir } of items) {
    // The only deleted folders contain this file.
    const response = await client.send('GET', `/trash/raw/${id}/${isDir ? 'inner.txt' : ''}`);
    if (response.ok) found.push(`deleted ${place.slice(path.length)}=${await response.text()}`);
  }
  return found.toSorted().join(', ');
}

const files = {
  'a.txt': Buffer.from('a'),
  'b.txt': Buffer.from('b'),
  'docs/inner.txt': Buffer.from('inner'),
};

/** The changes that are made before the operation. */
type Change = (client: Client, path: string) => Promise<Response>;

const deletes =
  (name: string): Change =>
  (client, path) =>
    client.call('DELETE', `/resources${path}/${name}`);
const saves =
  (name: string, body: string): Change =>
  (client, path) =>
    client.call('PUT', `/resources${path}/${name}`, { body });
const uploads =
  (name: string): Change =>
  (client, path) =>
    client.call('POST', `/resources${path}/${name}`, { body: 'new' });
const renames =
  (from: string, to: string): Change =>
  (client, path) => {
    const destination = encodeURIComponent(`${path}/${to}`);
    return client.call('PATCH', `/resources${path}/${from}?action=rename&destination=${destination}`);
  };

/** Prepares a folder with three files and makes changes in it. */
const prepare =
  (...changes: readonly Change[]) =>
  async ({ client, root }: TestEnvironment, number: number): Promise<KeptFolder> => {
    const path = `/kept${number}`;
    const folder = join(root, path);
    writeFiles(folder, files);
    const since = Date.now();
    const operations: string[] = [];
    const trash: string[] = [];
    for (const change of changes) {
      const { headers } = await change(client, path);
      operations.unshift(headers.get('x-operation') ?? '');
      trash.push(...[headers.get('x-trash-item') ?? []].flat());
    }
    return { path, folder, since, operations, trash };
  };

const undo = async (client: Client, { operations }: KeptFolder): Promise<void> => {
  for (const id of operations) await client.call('POST', `/operations/${id}/undo`);
};

const original = '/a.txt=a, /b.txt=b, /docs/inner.txt=inner';

/** Operations that move entries into the trash and out of it, and undo changes. */
export const keptOperations: readonly Operation[] = [
  stateOperation({
    name: 'deletion into the trash',
    prepare: prepare(),
    run: async (client, { path }) => void (await deletes('a.txt')(client, path)),
    read: describeFolder,
    expected: () => '/b.txt=b, /docs/inner.txt=inner, deleted /a.txt=a',
  }),
  stateOperation({
    name: 'deletion of a folder into the trash',
    prepare: prepare(),
    run: async (client, { path }) => void (await deletes('docs')(client, path)),
    read: describeFolder,
    expected: () => '/a.txt=a, /b.txt=b, deleted /docs=inner',
  }),
  stateOperation({
    name: 'restoration from the trash',
    prepare: prepare(deletes('docs')),
    run: async (client, { trash }) =>
      void (await client.call('POST', '/trash/restore', { json: { ids: trash, conflict: 'rename' } })),
    read: describeFolder,
    expected: () => original,
  }),
  stateOperation({
    name: 'deletion forever',
    prepare: prepare(deletes('a.txt')),
    run: async (client, { trash }) =>
      void (await client.call('POST', '/trash/purge', { json: { ids: trash } })),
    read: describeFolder,
    expected: () => '/b.txt=b, /docs/inner.txt=inner',
    // Without the index, an entry whose removal is not recorded on the disk yet is in the trash again.
    needsDatabase: true,
  }),
  stateOperation({
    name: 'undo of a deletion',
    prepare: prepare(deletes('docs')),
    run: undo,
    read: describeFolder,
    expected: () => original,
  }),
  stateOperation({
    name: 'undo of a save',
    prepare: prepare(saves('a.txt', 'changed')),
    run: undo,
    read: describeFolder,
    expected: () => '/a.txt=a, /b.txt=b, /docs/inner.txt=inner, version of /a.txt=changed',
  }),
  stateOperation({
    name: 'undo of an upload',
    prepare: prepare(uploads('new.txt')),
    run: undo,
    read: describeFolder,
    expected: () => `${original}, deleted /new.txt=new`,
  }),
  stateOperation({
    name: 'undo of a rename',
    prepare: prepare(renames('docs', 'papers')),
    run: undo,
    read: describeFolder,
    expected: () => original,
  }),
  stateOperation({
    name: 'rewind of a folder',
    prepare: prepare(
      saves('a.txt', 'changed'),
      deletes('docs'),
      renames('b.txt', 'c.txt'),
      uploads('new.txt'),
    ),
    async run(client, { path, since }) {
      const json = { below: path, since: new Date(since).toISOString() };
      await client.call('POST', '/operations/rewind', { json });
      await settleJobs(client);
    },
    read: describeFolder,
    expected: () => `${original}, deleted /new.txt=new, version of /a.txt=changed`,
    // The job reads what it undoes from the log.
    needsDatabase: true,
  }),
];
