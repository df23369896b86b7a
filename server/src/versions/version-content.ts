import { childOf, nameOf, rootPath } from '@filestead/contract/paths/virtual-path';
import { keptEntryOf } from '../access/keeping/kept-entry.ts';
import type { UserContext } from '../access/user-context.ts';
import { AppError } from '../errors.ts';
import type { ContentRequest, WithVersion } from '../http/files/content-views.ts';
import type { VisibleVersion } from './version-view.ts';
import type { Versions } from './versions.ts';

/** A storage that contains nothing but one version, and the path of the version in it. */
export type VersionContent = Pick<ContentRequest, 'storage' | 'requested'> & { readonly rootName: string };

/** Calls `work` with the content of a version that the user may see. Throws `not_found`, and the errors of `work`. */
export async function withContent(
  versions: Versions,
  userContext: UserContext,
  { version }: VisibleVersion,
  work: (content: VersionContent) => Promise<void>,
): Promise<void> {
  const rootName = nameOf(version.place);
  const view = await versions.viewOf(userContext);
  const storage = await versions.dropIfMissing(version.id, () => view.storage.kept(keptEntryOf(version)));
  try {
    const requested = { path: childOf(rootPath, rootName), isFolderPath: false };
    await work({ storage, requested, rootName });
  } finally {
    await storage.close();
  }
}

/** Returns the function with which other endpoints send a version of the file at their path. */
export function contentOfFile(versions: Versions): WithVersion {
  return async ({ userContext, path, id }, work) => {
    const view = await versions.viewOf(userContext);
    const visible = await view.find(id);
    if (!(await view.isOf(visible, path))) throw new AppError('not_found');
    await withContent(versions, userContext, visible, work);
  };
}
