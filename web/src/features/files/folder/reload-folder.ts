import type { FolderSession } from './folder-session.ts';
import { filesText } from '../feedback/files-text.ts';
import { toastFailure } from '../feedback/toasts.ts';

/** Reloads the folder at the user's request and reports a failure. Throws nothing. */
export async function reloadFolder(session: FolderSession): Promise<void> {
  const failure = await session.reload();
  if (failure !== null) {
    toastFailure(filesText('failed.load'), failure.error, () => void reloadFolder(session));
  }
}
