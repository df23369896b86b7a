import type { FolderSession } from './folder-session.ts';
import { filesText, toastFailure } from '../feedback/toasts.ts';

/** Reads the folder again because the user wants it, and says so when that fails. Throws nothing. */
export async function reloadFolder(session: FolderSession): Promise<void> {
  const failure = await session.reload();
  if (failure !== null) {
    toastFailure(filesText('failed.load'), failure.error, () => void reloadFolder(session));
  }
}
