import type { OperationPage } from '@filestead/contract/endpoints/operations';
import type { TrashPage } from '@filestead/contract/endpoints/trash';
import { maxTrashPage } from '@filestead/contract/values/limits';
import type { CatalogueApp } from './catalogue-app.ts';
import type { TreeEntry } from './random-tree.ts';
import { type RandomUser, walkAs } from './random-users.ts';

/** The entries in the trash. */
export interface DeletedEntries {
  readonly all: readonly TreeEntry[];
  /** Those that the user has deleted. */
  readonly own: readonly TreeEntry[];
}

/**
 * Compares the trash and the history with the entries that listings would show if they were still there: from the root, and from a folder
 * that the user may have opened by its address.
 */
export async function compareDeleted({
  app,
  deleted,
  user,
  token,
  folder,
  isDenied,
  compare,
}: {
  readonly app: CatalogueApp;
  readonly deleted: DeletedEntries;
  readonly user: RandomUser;
  readonly token: string;
  readonly folder: readonly string[];
  readonly isDenied: boolean;
  readonly compare: (request: string, expected: unknown, received: unknown) => void;
}): Promise<void> {
  const length = user.scope === '/' ? 0 : user.scope.slice(1).split('/').length;
  const shown = (entries: readonly TreeEntry[], from: readonly string[]): string[] =>
    walkAs(user, entries, from)
      .map(({ names }) => `/${names.slice(length).join('/')}`)
      .sort();
  const get = async <T>(request: string): Promise<T> =>
    (await (await app.fetch(request, { token })).json()) as T;
  const below = folder.length === 0 ? '' : `below=${encodeURIComponent(`/${folder.join('/')}`)}`;
  const isHidden = isDenied && folder.length > 0;

  const trashRequest = `/api/trash?limit=${maxTrashPage}&${below}`;
  const { items, total } = await get<TrashPage>(trashRequest);
  const expected = isHidden ? [] : shown(deleted.all, folder);
  compare(trashRequest, expected, items.map(({ path }) => path).sort());
  compare(`${trashRequest} (total)`, expected.length, total);

  const historyRequest = `/api/operations?${below}`;
  const { items: operations } = await get<OperationPage>(historyRequest);
  compare(
    historyRequest,
    isHidden ? [] : shown(deleted.own, folder),
    operations.map(({ path }) => path).sort(),
  );
}
