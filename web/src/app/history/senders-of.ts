import { listOperations } from '@filestead/contract/endpoints/operations';
import { childOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { call } from '../../api/call.ts';

/** The number of the latest operations in which the senders are looked for. */
const maxOperations = 50;

/**
 * Returns the names of the users who have added entries of `folder`, by the names of the entries. Those of other programs, of the
 * user, and of operations that the user may not see are left out. Throws `ApiError`.
 */
export async function sendersOf(
  folder: VirtualPath,
  names: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const { items } = await call(listOperations, {
    query: { below: folder, limit: String(maxOperations) },
    signal,
  });
  const nameAt = new Map([...names].map((name) => [childOf(folder, name) as string, name]));
  const senders = new Map<string, string>();
  // The latest operation is the first.
  for (const { path, user, isOwn, kind } of items) {
    const name = nameAt.get(path);
    if (name === undefined || kind === 'delete' || kind === 'purge') continue;
    nameAt.delete(path);
    if (user !== null && !isOwn) senders.set(name, user);
  }
  return senders;
}
