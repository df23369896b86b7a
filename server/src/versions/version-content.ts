import { childOf, nameOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { keptEntryOf } from '../access/keeping/kept-entry.ts';
import type { UserContext } from '../access/user-context.ts';
import { AppError } from '../errors.ts';
import type { ContentRequest, WithVersion } from '../http/files/content-views.ts';
import type { Versions } from './versions.ts';

/** A storage that contains nothing but one version, and the path of the version in it. */
export type VersionContent = Pick<ContentRequest, 'storage' | 'requested'> & { readonly rootName: string };

/**
 * Calls `work` with the content of a version; with a `path`, only if it is one of that file. Throws `not_found` if there is no such version
 * or the user may not see it, and the errors of `work`.
 */
export async function withContent(
  versions: Versions,
  userContext: UserContext,
  { id, path }: { readonly id: string; readonly path?: VirtualPath },
  work: (content: VersionContent) => Promise<void>,
): Promise<void> {
  const view = await versions.viewOf(userContext);
  const visible = await view.find(id);
  if (path !== undefined && !(await view.isOf(visible, path))) throw new AppError('not_found');
  const { version } = visible;
  const rootName = nameOf(version.place);
  const storage = await versions.dropIfMissing(id, () => view.storage.kept(keptEntryOf(version)));
  try {
    const requested = { path: childOf(rootPath, rootName), isFolderPath: false };
    await work({ storage, requested, rootName });
  } finally {
    await storage.close();
  }
}

/** Returns the function with which other endpoints send a version of the file at their path. */
export const contentOfFile =
  (versions: Versions): WithVersion =>
  ({ userContext, path, id }, work) =>
    withContent(versions, userContext, { id, path }, work);
