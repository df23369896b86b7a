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

/** Compares marks, headers of pictures and duplicates, which could disclose contents or entries that were permitted before. */
export async function compareContents({
  app,
  tree,
  user,
  token,
  folder,
  isDenied,
  random,
  compare,
}: {
  readonly app: CatalogueApp;
  readonly tree: readonly TreeEntry[];
  readonly user: RandomUser;
  readonly token: string;
  readonly folder: readonly string[];
  readonly isDenied: boolean;
  readonly random: Random;
  readonly compare: (request: string, expected: unknown, received: unknown) => void;
}): Promise<void> {
  const scope = user.scope === '/' ? [] : user.scope.slice(1).split('/');
  const own = walkAs(user, tree, []);
  const pathIn = (length: number, { names }: TreeEntry): string => names.slice(length).join('/');
  const get = async <T>(request: string): Promise<T> =>
    (await (await app.fetch(request, { token })).json()) as T;

  // The entries that were tagged before there were rules.
  const tagged = user.tagged.filter((entry) => own.includes(entry));
  const expected = tagged.map((entry) => pathIn(scope.length, entry)).sort();
  const { rows } = await get<{ rows: MarkedRow[] }>('/api/marks/tagged?tag=canary');
  compare('/api/marks/tagged', expected, rows.map(({ path }) => path.slice(1)).sort());
  const rootIsDenied = user.rules.length > 0 && !allows(user, '/');
  if (!rootIsDenied) {
    const found = await get<FindResult>('/api/find/?limit=500&query=tag:canary');
    compare('/api/find (tag)', expected, found.rows.map(({ path }) => path).sort());
  }
  if (isDenied) return;

  const length = scope.length + folder.length;
  // Each of its results is read for a snippet.
  if (random.below(3) === 0) await compareContentSearch({ app, user, token, tree, folder, random, compare });
  const address = `/${folder.map(encodeURIComponent).join('/')}`;
  const shown = walkAs(user, tree, folder);
  const marks = await get<{ rows: { name: string }[] }>(`/api/marks/folder${address}`);
  compare(
    `/api/marks/folder${address}`,
    // Also in a folder that can only be opened by its address.
    user.tagged
      .filter((entry) => shown.includes(entry) && entry.names.length === length + 1)
      .map(({ names }) => names.at(-1))
      .sort(),
    marks.rows.map(({ name }) => name).sort(),
  );

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

  const job = await jobsClient(app, token).run({
    kind: 'duplicates',
    items: [{ from: `/${folder.join('/')}` }],
  });
  expect(job.state).toBe('done');
  const { groups } = await get<DuplicatesResult>(`/api/jobs/duplicates/${job.id}?limit=500`);
  const contents = new Map<string, string[]>();
  for (const entry of shown) {
    if (entry.kind !== 'file') continue;
    const key = `${entry.size} ${isPicture(entry.names)}`;
    contents.set(key, [...(contents.get(key) ?? []), `/${pathIn(scope.length, entry)}`].sort());
  }
  compare(
    `duplicates in ${address}`,
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
async function compareContentSearch({
  app,
  user,
  token,
  tree,
  folder,
  random,
  compare,
}: {
  readonly app: CatalogueApp;
  readonly user: RandomUser;
  readonly token: string;
  readonly tree: readonly TreeEntry[];
  readonly folder: readonly string[];
  readonly random: Random;
  readonly compare: (request: string, expected: unknown, received: unknown) => void;
}): Promise<void> {
  const word = random.pick(contentWords);
  const request = `/api/contents/${folder.map(encodeURIComponent).join('/')}?query=${word}&limit=${maxContentRows}`;
  const length = (user.scope === '/' ? 0 : user.scope.slice(1).split('/').length) + folder.length;
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
