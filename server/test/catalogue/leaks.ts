import { expect } from 'vitest';
import type { ContentResult } from '@filestead/contract/endpoints/contents';
import type { FindResult, MapResult, TotalsResult } from '@filestead/contract/endpoints/find';
import { encodePath, nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { type Random, randomOf } from '../random.ts';
import { randomQuery } from '../../src/catalogue/catalogue-testing.ts';
import { type FindCandidate, matchesFind } from '../../src/catalogue/query/match-find.ts';
import { parseFind } from '../../src/catalogue/query/parse-find.ts';
import { compareContents } from './content-leaks.ts';
import { compareDeleted, type DeletedEntries } from './deletion-leaks.ts';
import { type CatalogueApp, startCatalogueApp, until } from './catalogue-app.ts';
import { makeTree, type TreeEntry } from './random-tree.ts';
import {
  allows,
  isLinkToDenied,
  randomDeletions,
  type RandomUser,
  randomUser,
  walkAs,
} from './random-users.ts';

/** A difference between a response and the walk of the user. */
export interface Leak {
  readonly user: RandomUser;
  readonly request: string;
  readonly expected: unknown;
  readonly received: unknown;
}

const sum = (entries: readonly TreeEntry[]): { bytes: number; files: number; folders: number } => ({
  bytes: entries.reduce((total, { size }) => total + size, 0),
  files: entries.filter(({ kind }) => kind === 'file').length,
  folders: entries.filter(({ kind }) => kind === 'folder').length,
});

const below = (entries: readonly TreeEntry[], length: number, name: string): TreeEntry[] =>
  entries.filter(({ names }) => names.length > length + 1 && names[length] === name);

/** The requests of one user about one folder, and the entries that the user may list in it. */
interface FolderCheck {
  readonly random: Random;
  /** The virtual path of the folder, percent-encoded. */
  readonly path: string;
  /** The names of the folder from the served folder on. */
  readonly place: readonly string[];
  readonly shown: readonly TreeEntry[];
  /** Whether an entry is a link that the user may not list. */
  readonly isLinkToDenied: (entry: TreeEntry) => boolean;
  /** The time of the server, in Unix seconds. */
  readonly now: number;
  /** Sends a request. Returns null if it was refused. */
  readonly fetchJson: (request: string) => Promise<unknown>;
  /** Records a leak when the values differ. */
  readonly compare: (request: string, expected: unknown, received: unknown) => void;
}

/** Compares the results of a random search. */
async function compareSearch(check: FolderCheck): Promise<void> {
  const { random, path, place, shown, isLinkToDenied: isDenied, now, fetchJson, compare } = check;
  const { length } = place;
  const query = randomQuery(random);
  const request = `/api/find${path}?limit=500&query=${encodeURIComponent(query)}`;
  const found = (await fetchJson(request)) as FindResult | null;
  if (found === null) return;
  const parsed = parseFind(query, now);
  const candidateOf = ({ names, kind, size }: TreeEntry): FindCandidate => ({
    name: names.at(-1) ?? '',
    above: names.slice(length, -1),
    kind,
    size,
    time: now,
  });
  const matching = shown.filter((entry) => matchesFind(parsed, candidateOf(entry)));
  const inFolder = ({ names }: TreeEntry): string => names.slice(length).join('/');
  const listed = matching.filter((entry) => !isDenied(entry));
  const expected = listed
    .map(({ names, kind, size }) => [names.slice(length).join('/'), kind === 'folder' ? null : size])
    .sort();
  const received = found.rows
    .filter(({ similar }) => similar === undefined)
    .map(({ path: at, size }) => [at, size])
    .sort();
  // Of more entries than one response has, those that are in it are compared.
  const texts = new Set(received.map((row) => JSON.stringify(row)));
  // The catalogue does not know which links are left out.
  const isCut = matching.length > 500;
  compare(request, isCut ? expected.filter((row) => texts.has(JSON.stringify(row))) : expected, received);
  if (listed.length === matching.length || !isCut)
    compare(`${request} (count)`, Math.min(expected.length, 500), received.length);
  const known = new Set(shown.filter((entry) => !isDenied(entry)).map(inFolder));
  compare(
    `${request} (similar)`,
    [],
    found.rows.filter((row) => !known.has(row.path)),
  );
  compare(`${request} (more)`, isCut, found.more);
}

/** Compares the list of the largest entries. */
async function compareLargest({ random, path, shown, fetchJson, compare }: FolderCheck): Promise<void> {
  const limit = 1 + random.below(5);
  const request = `/api/find${path}?limit=${limit}&sort=size`;
  const found = (await fetchJson(request)) as FindResult | null;
  if (found === null) return;
  compare(`${request} (more)`, shown.length > limit, found.more);
  const sizes = shown
    .filter(({ kind }) => kind === 'file')
    .map(({ size }) => size)
    .sort((a, b) => b - a)
    .slice(0, limit);
  compare(
    request,
    sizes,
    found.rows.filter(({ size, type }) => size !== null && type !== '' && size > 0).map(({ size }) => size),
  );
}

/** Compares the sizes of the folder and of the folders in it. */
async function compareTotals({ path, place, shown, fetchJson, compare }: FolderCheck): Promise<void> {
  const { length } = place;
  const totals = (await fetchJson(`/api/totals${path}`)) as TotalsResult | null;
  if (totals === null) return;
  const present = (row: TotalsResult['self']): unknown =>
    row && { bytes: row.bytes, files: row.files, folders: row.folders };
  compare(`/api/totals${path}`, sum(shown), present(totals.self));
  const folders = shown.filter(({ names, kind }) => names.length === length + 1 && kind === 'folder');
  const byName = folders.map(({ names }) => names.at(-1) ?? '').sort();
  compare(
    `/api/totals${path} (rows)`,
    byName.map((name) => [name, sum(below(shown, length, name))]),
    totals.rows.map((row) => [row.name, present(row)]).sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
  );
}

/** Compares the map of the folder. */
async function compareMap({ path, place, shown, fetchJson, compare }: FolderCheck): Promise<void> {
  const map = (await fetchJson(`/api/map${path}?depth=4&limit=500`)) as MapResult | null;
  if (map === null) return;
  compare(`/api/map${path}`, sum(shown).bytes, map.self?.bytes);
  for (const row of map.rows) {
    const names = [...place, ...row.path.split('/')];
    const entry = shown.find((candidate) => candidate.names.join('/') === names.join('/'));
    const inner = shown.filter(
      (candidate) =>
        candidate.names.length > names.length && names.every((name, i) => candidate.names[i] === name),
    );
    const expected = entry === undefined ? 'denied' : entry.kind === 'folder' ? sum(inner).bytes : entry.size;
    compare(`/api/map${path} (${row.path})`, expected, row.bytes);
  }
}

/** Compares all responses that a user can get about one folder with a walk of the tree as that user. */
async function compareFolder(
  app: CatalogueApp,
  { tree, kept }: { readonly tree: readonly TreeEntry[]; readonly kept: DeletedEntries },
  user: RandomUser,
  token: string,
  random: Random,
): Promise<Leak[]> {
  const scope = user.scope === '/' ? [] : user.scope.slice(1).split('/');
  const own = tree.filter(
    ({ names, kind }) =>
      kind === 'folder' && names.length > scope.length && scope.every((name, i) => names[i] === name),
  );
  const folder = random.below(2) === 0 || own.length === 0 ? [] : random.pick(own).names.slice(scope.length);
  const isDenied =
    (folder.length > 0 || user.rules.length > 0) &&
    (!allows(user, `/${folder.join('/')}`) ||
      (user.hideDotfiles && nameOf(`/${folder.join('/')}` as VirtualPath).startsWith('.')));
  const leaks: Leak[] = [];
  const compare = (request: string, expected: unknown, received: unknown): void => {
    if (JSON.stringify(expected) !== JSON.stringify(received))
      leaks.push({ user, request, expected, received });
  };
  const fetchJson = async (request: string): Promise<unknown> => {
    const response = await app.fetch(request, { token });
    if (isDenied) {
      compare(request, 403, response.status);
      return null;
    }
    compare(request, 200, response.status);
    return response.status === 200 ? response.json() : null;
  };
  const check: FolderCheck = {
    random,
    path: `/${folder.map(encodeURIComponent).join('/')}`,
    place: [...scope, ...folder],
    shown: walkAs(user, tree, folder),
    isLinkToDenied: (entry) => isLinkToDenied(user, tree, entry),
    now: Math.floor(app.clock.now() / 1000),
    fetchJson,
    compare,
  };
  await compareSearch(check);
  await compareLargest(check);
  await compareTotals(check);
  await compareMap(check);
  await compareContents({ app, tree, user, token, folder, random, compare }, isDenied);
  await compareDeleted({ app, deleted: kept, user, token, folder, isDenied, compare });
  return leaks;
}

/** Sends a request that has to succeed. */
async function succeed(
  app: CatalogueApp,
  path: string,
  options: Parameters<CatalogueApp['fetch']>[1],
): Promise<void> {
  const response = await app.fetch(path, options);
  expect([path, response.status, response.status === 200 ? '' : await response.text()]).toEqual([
    path,
    200,
    '',
  ]);
}

/** Tags and deletes entries as a user to whom no rules apply. */
async function changeEntries(
  app: CatalogueApp,
  user: RandomUser,
  deleted: readonly TreeEntry[],
): Promise<void> {
  const token = await app.signIn(user.username);
  const length = user.scope === '/' ? 0 : user.scope.slice(1).split('/').length;
  const pathOf = ({ names }: TreeEntry): VirtualPath => `/${names.slice(length).join('/')}` as VirtualPath;
  const paths = user.tagged.map(pathOf);
  if (paths.length > 0)
    await succeed(app, '/api/marks', { method: 'POST', token, json: { paths, addTags: ['canary'] } });
  for (const entry of deleted)
    await succeed(app, `/api/resources${encodePath(pathOf(entry))}`, { method: 'DELETE', token });
}

/** Sets the rules of a user, and signs in. */
async function restrictUser(app: CatalogueApp, user: RandomUser, id: number): Promise<string> {
  const rules = user.rules.map((rule) => ({ regex: false, allow: false, path: '', regexp: null, ...rule }));
  await succeed(app, `/api/users/${id}`, {
    method: 'PUT',
    token: await app.signIn('admin'),
    json: {
      what: 'user',
      which: ['rules', 'hideDotfiles'],
      data: { id, rules, hideDotfiles: user.hideDotfiles },
    },
  });
  return app.signIn(user.username);
}

/** Creates a tree and random users, and compares the responses to each with a walk as that user. Returns the differences. */
export async function findLeaks(options: {
  readonly seed: number;
  readonly users: number;
  readonly entries: number;
  readonly requestsPerUser: number;
}): Promise<Leak[]> {
  const random = randomOf(options.seed);
  const app = await startCatalogueApp({ config: { contentSearch: 'on' } });
  try {
    const whole = await makeTree(app.root, random, options.entries);
    const users = Array.from({ length: options.users }, (_, index) => randomUser(random, index, whole));
    const deletions = randomDeletions(random, users, whole);
    const ids = new Map<RandomUser, number>();
    // Users see what was deleted since they had their scope.
    for (const user of users)
      ids.set(user, (await app.createUser({ username: user.username, scope: user.scope })).id);
    for (const user of users) await changeEntries(app, user, deletions.get(user) ?? []);
    const deleted = [...deletions.values()].flat();
    const tree = whole.filter((entry) => !deleted.includes(entry));
    await app.waitUntilBuilt();
    await app.sweep();
    const token = await app.signIn('admin');
    const percent = async (): Promise<number | null> => {
      const response = await app.fetch('/api/contents/?query=heron', { token });
      return ((await response.json()) as ContentResult).percent;
    };
    await until(async () => (await percent()) === 100);
    const leaks: Leak[] = [];
    for (const user of users) {
      const token = await restrictUser(app, user, ids.get(user) ?? 0);
      const kept = { all: deleted, own: deletions.get(user) ?? [] };
      for (let i = 0; i < options.requestsPerUser; i++)
        leaks.push(...(await compareFolder(app, { tree, kept }, user, token, random)));
    }
    return leaks;
  } finally {
    await app.close();
  }
}
