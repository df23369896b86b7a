import { useEffect } from 'react';
import type { FolderSession } from '../../features/files/folder/folder-session.ts';
import { uploadCode } from './upload-code.ts';

/**
 * Shows uploads into the folder of `session` as rows while they are sent, and selects the entries that have arrived.
 */
export function useUploadRows(session: FolderSession): void {
  useEffect(() => uploadCode.whenLoaded(({ showUploadRows }) => showUploadRows(session)), [session]);
}
