import {
  isAtOrBelow,
  joinPaths,
  parsePath,
  relativeTo,
  type VirtualPath,
} from '@filestead/contract/virtual-path';
import type { FileChange, FileChangeListener } from '../access/file-events.ts';
import type { ShareRepository, UserPlace } from '../database/database.ts';

/** The place of a changed file as seen from the served folder. */
const servedPlace = ({ caller }: FileChange, path: VirtualPath): VirtualPath =>
  joinPaths(parsePath(caller.user.scope).path, path);

/** Ends all links to what was deleted, whoever made them. */
async function endLinks(shares: ShareRepository, deleted: VirtualPath): Promise<void> {
  const places: UserPlace[] = [];
  for (const { userId, scope } of await shares.owners()) {
    if (isAtOrBelow(deleted, scope)) places.push({ userId, path: relativeTo(deleted, scope) });
    else if (isAtOrBelow(scope, deleted)) places.push({ userId, path: '/' as VirtualPath });
  }
  if (places.length > 0) await shares.removeUnder(places);
}

/**
 * Lets links follow what was moved. A link ends when its file has left the owner's scope; when the scope itself was moved,
 * links keep their places in it.
 */
async function moveLinks(shares: ShareRepository, from: VirtualPath, to: VirtualPath): Promise<void> {
  const left: UserPlace[] = [];
  const moves: { userId: number; from: VirtualPath; to: VirtualPath }[] = [];
  for (const { userId, scope } of await shares.owners()) {
    if (from === scope || !isAtOrBelow(from, scope)) continue;
    const path = relativeTo(from, scope);
    if (to !== scope && isAtOrBelow(to, scope)) moves.push({ userId, from: path, to: relativeTo(to, scope) });
    else left.push({ userId, path });
  }
  if (moves.length > 0) await shares.moveUnder(moves);
  if (left.length > 0) await shares.removeUnder(left);
}

/** What links have to do with changes of files: they follow moves and end with deletions. */
export const shareKeeper = (shares: ShareRepository): FileChangeListener => ({
  async after(change) {
    const place = servedPlace(change, change.path);
    if (change.event === 'delete') await endLinks(shares, place);
    if (change.event === 'rename' && change.destination !== null) {
      await moveLinks(shares, place, servedPlace(change, change.destination));
    }
  },
});
