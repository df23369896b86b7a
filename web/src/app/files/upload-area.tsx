import { useEffect } from 'react';
import { SignOutDialog } from '../../features/uploads/sign-out-dialog.tsx';
import { currentToken, subscribeToToken } from '../../api/token-store.ts';
import { blockedUploads, interruptedUploads, uploadQueue } from '../../features/uploads/queue/page-queue.ts';
import { Uploads } from '../../features/uploads/uploads.tsx';
import { fileUploads } from './file-uploads.ts';
import { forgetOtherUser } from '../forget-other-user.ts';

/** The user whose uploads are in the queue. */
let owner: number | null = null;

/**
 * Resumes the uploads that have been waiting since the session of this user ended. Those of another user are dropped:
 * nobody else may see them or send them under another name.
 */
function resumeUploadsOf(userId: number): void {
  if (owner !== userId) {
    uploadQueue.forget();
    forgetOtherUser();
  }
  owner = userId;
  interruptedUploads.open(userId);
  void blockedUploads.refresh();
  uploadQueue.release();
}

/**
 * The upload elements that are present on every screen: the inputs of the file pickers, the tray and its prompts.
 * Render it once, beside the routes, while a user is signed in: nothing is uploaded without it.
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
  useEffect(() => {
    window.addEventListener('dragover', refuseStrayFiles);
    window.addEventListener('drop', refuseStrayFiles);
    return () => {
      window.removeEventListener('dragover', refuseStrayFiles);
      window.removeEventListener('drop', refuseStrayFiles);
    };
  }, []);
  return (
    <>
      {(['files', 'folder'] as const).map((picker) => (
        <input
          key={picker}
          ref={(input) => fileUploads.attach(picker, input)}
          type="file"
          multiple
          hidden
          data-upload={picker}
          {...(picker === 'folder' && { webkitdirectory: '' })}
          onChange={({ currentTarget }) => {
            // Copied before the input is cleared, so that the same file can be chosen again.
            const files = [...(currentTarget.files ?? [])];
            currentTarget.value = '';
            fileUploads.addChosen(files);
          }}
        />
      ))}
      <Uploads queue={uploadQueue} interrupted={interruptedUploads} blocked={blockedUploads} />
      <SignOutDialog />
    </>
  );
}

/** Prevents a file that is dropped outside a drop target from replacing the page. */
function refuseStrayFiles(event: DragEvent): void {
  if (event.defaultPrevented || event.dataTransfer?.types.includes('Files') !== true) return;
  const isForField = event.target instanceof HTMLInputElement && event.target.type === 'file';
  if (isForField) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'none';
}
