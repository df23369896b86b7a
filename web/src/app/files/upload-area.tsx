import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect } from 'react';
import { SignOutDialog } from '../../features/uploads/sign-out-dialog.tsx';
import { currentToken, subscribeToToken } from '../../api/token-store.ts';
import { blockedUploads, interruptedUploads, uploadQueue } from '../../features/uploads/queue/page-queue.ts';
import { Uploads } from '../../features/uploads/uploads.tsx';
import { collectChosen, collectPasted } from '../../features/uploads/collecting/collect-chosen.ts';
import { collectDropped } from '../../features/uploads/collecting/collect-dropped.ts';
import type { CollectedItems } from '../../features/uploads/collecting/upload-item.ts';
import { formatNumber } from '../../i18n/format.ts';
import { i18n } from '../../i18n/i18n.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { showToast } from '../../ui/feedback/toast.ts';

export { confirmSignOut } from '../../features/uploads/sign-out-dialog.tsx';
export { showUploadRows } from './upload-rows.ts';
export { uploadQueue };
export const collectors = { collectChosen, collectDropped, collectPasted };

/** Adds collected items to the queue. A notice tells the user which of them could not be read. */
export function addUploads(
  { items, unreadable }: CollectedItems,
  destination: VirtualPath,
  canReplace: boolean,
): void {
  const [name] = unreadable;
  if (name !== undefined) {
    const count = unreadable.length;
    const values = { ns: 'uploads', count, number: formatNumber(count), name: isolateBidi(name) } as const;
    const message = i18n.t(count === 1 ? 'unreadableOne' : 'unreadableMany', values);
    showToast({ tone: 'error', message });
  }
  void uploadQueue.enqueue({ destination, items, canReplace });
}

/** The user whose uploads are in the queue. */
let owner: number | null = null;

/**
 * Resumes the uploads that have been waiting since the session of this user ended. Those of another user are dropped:
 * nobody else may see them or send them under another name.
 */
function resumeUploadsOf(userId: number): void {
  if (owner !== null && owner !== userId) uploadQueue.forget();
  owner = userId;
  interruptedUploads.open(userId);
  void blockedUploads.refresh();
  uploadQueue.release();
}

/**
 * The tray of uploads and its prompts, which are present on every screen. Render it once, beside the routes, while a
 * user is signed in.
 */
export function UploadArea({ userId }: { userId: number }) {
  useEffect(() => {
    resumeUploadsOf(userId);
    const stopWatching = subscribeToToken(() => {
      if (currentToken() !== null) uploadQueue.release();
    });
    return () => {
      stopWatching();
      uploadQueue.hold();
      interruptedUploads.close();
      blockedUploads.close();
    };
  }, [userId]);
  return (
    <>
      <Uploads queue={uploadQueue} interrupted={interruptedUploads} blocked={blockedUploads} />
      <SignOutDialog />
    </>
  );
}
