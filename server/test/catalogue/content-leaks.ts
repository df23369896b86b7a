import { expect } from 'vitest';
import type { ContentResult } from '@filestead/contract/endpoints/contents';
import type { DuplicatesResult } from '@filestead/contract/endpoints/duplicates';
import type { FindResult } from '@filestead/contract/endpoints/find';
import type { MarkedRow } from '@filestead/contract/endpoints/marks';
import { maxContentRows } from '@filestead/contract/values/limits';
import type { Random } from '../random.ts';
import { jobsClient } from '../fixtures/jobs-client.ts';
import { type CatalogueApp, until } from './catalogue-app.ts';
import { contentWords, isPicture, isText, type TreeEntry, wordOf } from './random-tree.ts';
import { allows, type RandomUser, walkAs } from './random-users.ts';

/** A user and a folder, whose responses are compared with a walk over the tree. */
interface Comparison {
  readonly app: CatalogueApp;
  readonly tree: readonly TreeEntry[];
  readonly user: RandomUser;
  readonly token: string;
  readonly folder: readonly string[];
  readonly random: Random;
  readonly compare: (request: string, expected: unknown, received: unknown) => void;
}

const scopeOf = ({ scope }: RandomUser): string[] => (scope === '/' ? [] : scope.slice(1).split('/'));
const addressOf = ({ folder }: Comparison): string => `/${folder.map(encodeURIComponent).join('/')}`;
const pathIn = (length: number, { names }: TreeEntry): string => names.slice(length).join('/');
/** The number of names from the served folder to the compared one. */
const depthOf = ({ user, folder }: Comparison): number => scopeOf(user).length + folder.length;
const get = async <T>({ app, token }: Comparison, request: string): Promise<T> =>
  (await (await app.fetch(request, { token })).json()) as T;

/** Compares marks, headers of pictures, duplicates and a search in contents, which could disclose contents or entries that were permitted before. */
export async function compareContents(comparison: Comparison, isDenied: boolean): Promise<void> {
  await compareTagged(comparison);
  if (isDenied) return;
  // Each of its results is read for a snippet.
  if (comparison.random.below(3) === 0) await compareContentSearch(comparison);
  await compareFolderMarks(comparison);
  await compareMedia(comparison);
  await compareDuplicates(comparison);
}

/** Compares the tagged entries of the user. */
async function compareTagged(comparison: Comparison): Promise<void> {
  const { tree, user, compare } = comparison;
  const { length } = scopeOf(user);
  const own = walkAs(user, tree, []);
  // The entries that were tagged before there were rules.
  const tagged = user.tagged.filter((entry) => own.includes(entry));
  const expected = tagged.map((entry) => pathIn(length, entry)).sort();
  const { rows } = await get<{ rows: MarkedRow[] }>(comparison, '/api/marks/tagged?tag=canary');
  compare('/api/marks/tagged', expected, rows.map(({ path }) => path.slice(1)).sort());
  const rootIsDenied = user.rules.length > 0 && !allows(user, '/');
  if (!rootIsDenied) {
    const found = await get<FindResult>(comparison, '/api/find/?limit=500&query=tag:canary');
    compare('/api/find (tag)', expected, found.rows.map(({ path }) => path).sort());
  }
}

/** Compares the marks of the entries in the folder. */
async function compareFolderMarks(comparison: Comparison): Promise<void> {
  const { tree, user, folder, compare } = comparison;
  const address = addressOf(comparison);
  const length = depthOf(comparison);
  const shown = walkAs(user, tree, folder);
  const marks = await get<{ rows: { name: string }[] }>(comparison, `/api/marks/folder${address}`);
  compare(
    `/api/marks/folder${address}`,
    // Also in a folder that can only be opened by its address.
    user.tagged
      .filter((entry) => shown.includes(entry) && entry.names.length === length + 1)
      .map(({ names }) => names.at(-1))
      .sort(),
    marks.rows.map(({ name }) => name).sort(),
  );
}

/** Compares the sizes of pictures below the folder, also of some that no listing shows. */
async function compareMedia(comparison: Comparison): Promise<void> {
  const { app, tree, user, token, folder, random, compare } = comparison;
  const scope = scopeOf(user);
  const length = depthOf(comparison);
  const address = addressOf(comparison);
  // A file is opened by its path: rules apply to that, and hidden names to its own name.
  const canOpen = (entry: TreeEntry): boolean =>
    allows(user, `/${pathIn(scope.length, entry)}`) &&
    !(user.hideDotfiles && (entry.names.at(-1) ?? '').startsWith('.'));
  const below = tree.filter(
    ({ names, kind }) =>
      kind === 'file' &&
      names.length > length &&
      [...scope, ...folder].every((name, i) => names[i] === name) &&
      (isPicture(names) || random.below(8) === 0),
  );
  if (below.length > 0) {
    const names = below.map((entry) => pathIn(length, entry));
    const widths: (number | null)[] = [];
    // On a busy system a response has fewer rows than names.
    while (widths.length < names.length) {
      const json = { names: names.slice(widths.length) };
      const response = await app.fetch(`/api/media${address}`, { method: 'POST', token, json });
      const { rows: sizes } = (await response.json()) as { rows: ({ width: number } | null)[] };
      if (sizes.length === 0) break;
      widths.push(...sizes.map((size) => size?.width ?? null));
    }
    compare(
      `/api/media${address}`,
      below.map((entry) => (isPicture(entry.names) && canOpen(entry) ? entry.size : null)),
      widths,
    );
  }
}

/** Compares the duplicates below the folder. */
async function compareDuplicates(comparison: Comparison): Promise<void> {
  const { app, tree, user, token, folder, compare } = comparison;
  const { length } = scopeOf(user);
  const shown = walkAs(user, tree, folder);
  const job = await jobsClient(app, token).run({
    kind: 'duplicates',
    items: [{ from: `/${folder.join('/')}` }],
  });
  expect(job.state).toBe('done');
  const { groups } = await get<DuplicatesResult>(comparison, `/api/jobs/duplicates/${job.id}?limit=500`);
  const contents = new Map<string, string[]>();
  for (const entry of shown) {
    if (entry.kind !== 'file') continue;
    const key = `${entry.size} ${isPicture(entry.names)}`;
    contents.set(key, [...(contents.get(key) ?? []), `/${pathIn(length, entry)}`].sort());
  }
  compare(
    `duplicates in ${addressOf(comparison)}`,
    [...contents.values()]
      .filter((paths) => paths.length > 1)
      .map((paths) => paths.join(' '))
      .sort(),
    groups
      .map(({ files }) =>
        files
          .map(({ path }) => path)
          .sort()
          .join(' '),
      )
      .sort(),
  );
}

/** Compares a search in contents: files that a walk shows and that can be opened, with their own snippets. */
async function compareContentSearch(comparison: Comparison): Promise<void> {
  const { app, user, token, tree, folder, random, compare } = comparison;
  const word = random.pick(contentWords);
  const request = `/api/contents${addressOf(comparison)}?query=${word}&limit=${maxContentRows}`;
  const length = depthOf(comparison);
  const expected = walkAs(user, tree, folder)
    .filter((entry) => entry.kind === 'file' && isText(entry) && wordOf(entry.size) === word)
    .map(({ names, size }) => [names.slice(length).join('/'), size]);
  const search = async (): Promise<ContentResult> =>
    (await (await app.fetch(request, { token })).json()) as ContentResult;
  let found = await search();
  // On a busy system a search ends before it has found everything, and says that there is more.
  await until(async () => {
    const isCutShort = found.more && found.rows.length < maxContentRows;
    if (isCutShort) found = await search();
    return !isCutShort;
  });
  const { rows, more } = found;
  const received = rows.map(({ path, size }) => [path, size]);
  // Of more files than one response has, those that are in it are compared.
  const texts = new Set(received.map((row) => JSON.stringify(row)));
  const isCut = expected.length > maxContentRows;
  compare(
    request,
    expected.filter((row) => !isCut || texts.has(JSON.stringify(row))).sort(),
    received.sort(),
  );
  compare(`${request} (count)`, Math.min(expected.length, maxContentRows), received.length);
  compare(`${request} (more)`, isCut, more);
  const foreign = contentWords.filter((other) => other !== word);
  compare(
    `${request} (snippets)`,
    [],
    rows.filter(({ snippet }) => foreign.some((other) => snippet?.text.includes(other))),
  );
}
