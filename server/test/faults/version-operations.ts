import { join } from 'node:path';
import { type Operation, stateOperation } from './attempts.ts';
import type { Client } from './client.ts';
import { writeFiles } from './trees.ts';

/** A file whose versions are compared. */
interface VersionedFile {
  /** Virtual path. */
  readonly path: string;
  /** The latest version before the operation; empty if there is none. */
  readonly version: string;
}

interface VersionList {
  readonly versions: readonly { readonly id: string; readonly label: string | null }[];
}

/** Returns the content of a file, and those of its versions with their labels, the latest first. */
async function describeFile(client: Client, { path }: VersionedFile): Promise<string> {
  const content = await (await client.call('GET', `/raw${path}`)).text();
  const { versions } = await client.json<VersionList>(`/versions/list${path}`);
  const texts: string[] = [];
  for (const { id, label } of versions) {
    const response = await client.send('GET', `/versions/raw/${id}`);
    // A restored version is in the list until it is requested, if the server was killed before it removed it.
    const labelText = label === null ? '' : ` (${label})`;
    if (response.ok) texts.push(`${await response.text()}${labelText}`);
  }
  return `${content} < ${texts.join(' < ')}`;
}

/** Prepares a file with the content `one`, and `saves` versions below it. */
const prepare =
  (...saves: string[]) =>
  async ({ client, root }: { client: Client; root: string }, number: number): Promise<VersionedFile> => {
    const path = `/versions${number}/plan.txt`;
    writeFiles(join(root, `versions${number}`), {
      'plan.txt': Buffer.from('one'),
      'other.txt': Buffer.from('other'),
    });
    for (const body of saves) await client.call('PUT', `/resources${path}`, { body });
    const { versions } = await client.json<VersionList>(`/versions/list${path}`);
    return { path, version: versions[0]?.id ?? '' };
  };

/** Operations that replace a file and keep its former state. */
export const versionOperations: readonly Operation[] = [
  stateOperation({
    name: 'save that keeps a version',
    prepare: prepare(),
    async run(client, { path }) {
      await client.call('PUT', `/resources${path}`, { body: 'two' });
    },
    read: describeFile,
    expected: () => 'two < one',
  }),
  stateOperation({
    name: 'move over a file that keeps a version',
    prepare: prepare('two'),
    async run(client, { path }) {
      const destination = encodeURIComponent(path);
      const from = path.replace('plan', 'other');
      await client.call('PATCH', `/resources${from}?action=rename&destination=${destination}&override=true`);
    },
    read: describeFile,
    expected: () => 'other < two < one',
  }),
  stateOperation({
    name: 'restoration of a version',
    prepare: prepare('two'),
    async run(client, { version }) {
      await client.call('POST', '/versions/restore', { json: { id: version } });
    },
    read: describeFile,
    expected: () => 'one < two',
  }),
];

/** Operations that change what is recorded about a version. */
export const labelOperations: readonly Operation[] = [
  stateOperation({
    name: 'label of a version',
    prepare: prepare('two'),
    async run(client, { version }) {
      await client.call('PATCH', `/versions/${version}`, { json: { label: 'sent' } });
    },
    read: describeFile,
    expected: () => 'two < one (sent)',
  }),
];
