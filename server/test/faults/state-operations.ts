import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { type Operation, stateOperation } from './attempts.ts';
import { type Client, settleJobs } from './client.ts';
import { password } from './real-server.ts';
import { contentOf, writeFiles } from './trees.ts';
import { versionOperations } from './version-operations.ts';

interface ListedUser {
  readonly id: number;
  readonly username: string;
  readonly locale: string;
  readonly scope: string;
}

const findUser = async (client: Client, name: string): Promise<ListedUser | undefined> =>
  (await client.json<ListedUser[]>('/users')).find(({ username }) => username === name);

const userNameOf = (number: number): string => `user-${number}`;

async function createUser(client: Client, number: number): Promise<number> {
  const name = userNameOf(number);
  const data = { id: 0, username: name, password, scope: `/${name}`, locale: 'en' };
  await client.call('POST', '/users', { json: { what: 'user', which: [], data } });
  return (await findUser(client, name))?.id ?? 0;
}

/** Returns the visible state of a user: the record, and which password signs in. */
async function describeUser(client: Client, name: string): Promise<string> {
  const found = await findUser(client, name);
  if (found === undefined) return 'nobody';
  const signsIn: string[] = [];
  for (const secret of [password, `${password} 2`]) {
    const response = await client.send('POST', '/login', {
      json: { username: name, password: secret },
      token: '',
    });
    if (response.ok) signsIn.push(secret);
  }
  return `${found.locale} ${found.scope} ${signsIn.join(', ')}`;
}

const userOperations: Operation[] = [
  stateOperation({
    name: 'new user',
    prepare: async (_environment, number) => number,
    async run(client, number) {
      await createUser(client, number);
    },
    read: (client, number) => describeUser(client, userNameOf(number)),
    expected: (number) => `en /${userNameOf(number)} ${password}`,
  }),
  stateOperation({
    name: 'changed user',
    prepare: async ({ client }, number) => ({ number, id: await createUser(client, number) }),
    async run(client, { id }) {
      const data = { id, password: `${password} 2`, locale: 'de' };
      await client.call('PUT', `/users/${id}`, {
        json: { what: 'user', which: ['password', 'locale'], data },
      });
    },
    read: (client, { number }) => describeUser(client, userNameOf(number)),
    expected: ({ number }) => `de /${userNameOf(number)} ${password} 2`,
  }),
  stateOperation({
    name: 'deleted user',
    prepare: async ({ client }, number) => ({ number, id: await createUser(client, number) }),
    async run(client, { id }) {
      await client.call('DELETE', `/users/${id}`);
    },
    read: (client, { number }) => describeUser(client, userNameOf(number)),
    expected: () => 'nobody',
  }),
];

interface Branded {
  readonly branding: { readonly name: string };
  readonly shell: readonly string[];
  readonly userHomeBasePath: string;
}

const settings = stateOperation({
  name: 'settings',
  prepare: async (_environment, number) => number,
  async run(client, number) {
    const now = await client.json<Branded>('/settings');
    await client.call('PUT', '/settings', {
      json: {
        ...now,
        branding: { ...now.branding, name: `name ${number}` },
        userHomeBasePath: `/home-${number}`,
      },
    });
  },
  async read(client) {
    const { branding, userHomeBasePath } = await client.json<Branded>('/settings');
    return `${branding.name} ${userHomeBasePath}`;
  },
  expected: (number) => `name ${number} /home-${number}`,
});

const sharesAt = (client: Client, at: string): Promise<{ hash: string }[]> =>
  client.json<{ hash: string }[]>(`/share${at}`);

const shares: Operation[] = [
  stateOperation({
    name: 'new share',
    async prepare({ root }, number) {
      writeFiles(join(root, `w${number}`), { 'a.txt': contentOf('a', 10) });
      return `/w${number}/a.txt`;
    },
    async run(client, at) {
      await client.call('POST', `/share${at}`, { json: { expires: '5', unit: 'days' } });
    },
    read: async (client, at) => `${(await sharesAt(client, at)).length} shares`,
    expected: () => '1 shares',
  }),
  stateOperation({
    name: 'ended share',
    async prepare({ client, root }, number) {
      writeFiles(join(root, `w${number}`), { 'a.txt': contentOf('a', 10) });
      const at = `/w${number}/a.txt`;
      await client.call('POST', `/share${at}`, { json: {} });
      return { at, hash: (await sharesAt(client, at))[0]?.hash ?? '' };
    },
    async run(client, { hash }) {
      await client.call('DELETE', `/share/${hash}`);
    },
    read: async (client, { at }) => `${(await sharesAt(client, at)).length} shares`,
    expected: () => '0 shares',
  }),
  stateOperation({
    name: 'renamed file with a share',
    async prepare({ client, root }, number) {
      const folder = `/w${number}`;
      writeFiles(join(root, folder), { 'a.txt': contentOf('a', 10) });
      await client.call('POST', `/share${folder}/a.txt`, { json: {} });
      return folder;
    },
    async run(client, folder) {
      const destination = encodeURIComponent(`${folder}/b.txt`);
      await client.call('PATCH', `/resources${folder}/a.txt?action=rename&destination=${destination}`);
    },
    async read(client, folder) {
      const shares = [await sharesAt(client, `${folder}/a.txt`), await sharesAt(client, `${folder}/b.txt`)];
      return `${shares.flat().length} shares`;
    },
    // Its path depends on the moment of the kill; the share must exist exactly once.
    expected: () => '1 shares',
  }),
];

/** A deletion of files with shares: the share of a deleted file must not lead to another file of its name. */
const deletionWithShares = (
  name: string,
  remove: (client: Client, paths: readonly string[]) => Promise<void>,
): Operation => ({
  name,
  needsDatabase: true,
  async prepare({ client, root }, number) {
    const paths = ['a.txt', 'b.txt', 'c.txt'].map((file) => `/w${number}/${file}`);
    const hashes: string[] = [];
    for (const path of paths) {
      writeFiles(join(root, path, '..'), { [path.slice(-5)]: contentOf(path, 10) });
      await client.call('POST', `/share${path}`, { json: {} });
      hashes.push((await sharesAt(client, path))[0]?.hash ?? '');
    }
    return {
      folder: join(root, `/w${number}`),
      run: () => remove(client, paths),
      async check() {
        await settleJobs(client);
        const losses: string[] = [];
        for (const [index, path] of paths.entries()) {
          const isDeleted = !existsSync(join(root, path));
          if (isDeleted) writeFileSync(join(root, path), 'another file');
          const { status } = await client.send('GET', `/public/share/${hashes[index]}`, { token: '' });
          if (status !== (isDeleted ? 404 : 200))
            losses.push(
              `the share of ${path}, which was ${isDeleted ? '' : 'not '}deleted, answers ${status}`,
            );
        }
        return losses;
      },
    };
  },
});

const deletionsWithShares: Operation[] = [
  deletionWithShares('job that deletes files with shares', async (client, paths) =>
    client.job(
      'delete',
      paths.map((from) => ({ from })),
    ),
  ),
  deletionWithShares('deletion of files with shares forever', async (client, paths) => {
    for (const path of paths) await client.call('DELETE', `/resources${path}?permanent=true`);
  }),
];

const works = async (client: Client, token: string): Promise<string> =>
  (await client.send('GET', '/resources/', { token })).ok ? 'works' : 'ended';

const sessions: Operation[] = [
  stateOperation({
    name: 'sign-in',
    prepare: async () => ({ token: '' }),
    async run(client, state) {
      state.token = await client.signIn();
    },
    read: async (client, { token }) => (token === '' ? 'not signed in' : works(client, token)),
    expected: ({ token }) => (token === '' ? 'not signed in' : 'works'),
  }),
  stateOperation({
    name: 'renewal',
    prepare: async ({ client }) => ({ token: await client.signIn() }),
    async run(client, state) {
      state.token = await (await client.call('POST', '/renew', { token: state.token })).text();
    },
    read: (client, { token }) => works(client, token),
    expected: () => 'works',
  }),
  stateOperation({
    name: 'sign-out',
    prepare: async ({ client }) => ({ token: await client.signIn() }),
    async run(client, { token }) {
      await client.call('POST', '/logout', { token });
    },
    read: (client, { token }) => works(client, token),
    expected: () => 'ended',
  }),
];

let picture: Promise<Buffer> | undefined;
const makePicture = (): Promise<Buffer> =>
  (picture ??= sharp({ create: { width: 900, height: 700, channels: 3, background: '#3a6ea5' } })
    .jpeg()
    .toBuffer());

const reading: Operation[] = [
  stateOperation({
    name: 'small picture',
    async prepare({ root }, number) {
      // A different file each time, so that none is in the cache.
      const bytes = Buffer.concat([await makePicture(), Buffer.from(String(number))]);
      writeFiles(join(root, `w${number}`), { 'a.jpg': bytes });
      return { at: `/w${number}/a.jpg`, isRequested: false };
    },
    async run(client, state) {
      state.isRequested = true;
      await (await client.call('GET', `/preview/thumb${state.at}`)).arrayBuffer();
    },
    async read(client, { at, isRequested }) {
      // The operation creates it.
      if (!isRequested) return 'not requested';
      const response = await client.call('GET', `/preview/thumb${at}`);
      const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
      return `${width > 0 && height > 0}`;
    },
    expected: () => 'true',
  }),
  stateOperation({
    name: 'archive',
    async prepare({ root }, number) {
      writeFiles(join(root, `w${number}`), {
        'a.bin': contentOf('a', 3_000_000),
        'd/b.bin': contentOf('b', 100_000),
      });
      return `/w${number}`;
    },
    async run(client, at) {
      await (await client.call('GET', `/raw${at}?algo=zip`)).arrayBuffer();
    },
    async read(client, at) {
      const content = await (await client.call('GET', `/raw${at}/a.bin`)).arrayBuffer();
      return createHash('sha256').update(new Uint8Array(content)).digest('hex');
    },
    expected: () => createHash('sha256').update(contentOf('a', 3_000_000)).digest('hex'),
  }),
];

export const stateOperations: readonly Operation[] = [
  ...userOperations,
  settings,
  ...shares,
  ...deletionsWithShares,
  ...sessions,
  ...reading,
  ...versionOperations,
];
