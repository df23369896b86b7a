import { useEffect, useState } from 'react';
import { sendSigned } from '../../api/signed-request.ts';
import { withBase } from '../../api/urls.ts';
import { savedPlayerKey } from '../../features/player/saved-player-key.ts';
import { trayChannelName } from '../../features/uploads/tabs/tab-id.ts';
import { storedText } from '../../ui/browser-storage.ts';
import { useLazyPart } from '../../ui/overlays/lazy-part.ts';
import { onFirstInput } from '../../ui/overlays/preload-overlays.ts';
import { forgetOtherUser } from '../forget-other-user.ts';
import { fileUploads } from './file-uploads.ts';
import { uploadCode } from './upload-code.ts';

/** The last user who was signed in on this page. */
let lastUser: number | null = null;

/**
 * The upload elements that are present on every screen: the inputs of the file pickers, and the upload area once its
 * code is loaded. Render it once, beside the routes, while a user is signed in: nothing is uploaded without it.
 */
export function UserUploads({ userId }: { userId: number }) {
  const [isLoaded, setLoaded] = useState(uploadCode.peek() !== null);
  const part = useLazyPart(uploadCode, isLoaded, ignoreFailure);
  useEffect(() => {
    if (lastUser !== null && lastUser !== userId) forgetOtherUser();
    lastUser = userId;
  }, [userId]);
  useEffect(() => {
    const stopWaiting = uploadCode.whenLoaded(() => {
      setLoaded(true);
      return () => undefined;
    });
    const stopWatching = onFirstInput(preload);
    void loadForEarlierUploads();
    // The player that the page had before it was reloaded.
    if (storedText(savedPlayerKey, 'tab') !== null) preload();
    const stopListening = listenToOtherPages(userId);
    return () => {
      stopWaiting();
      stopWatching();
      stopListening();
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
      {part && <part.UploadArea userId={userId} />}
    </>
  );
}

/** A failure is reported when a file is added. */
function ignoreFailure(): void {}

const preload = (): void => void uploadCode.load().catch(ignoreFailure);

/** Loads the code of uploads when another page of the user uploads files, to show them here too. */
function listenToOtherPages(userId: number): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => undefined;
  const channel = new BroadcastChannel(trayChannelName(userId));
  channel.addEventListener('message', ({ data }: MessageEvent<{ type?: unknown }>) => {
    if (data.type === 'state') preload();
  });
  return () => channel.close();
}

/**
 * Fetches the code of uploads at once if there are uploads that the user can continue or resolve. The addresses are written
 * here, because the contract of uploads is not part of the first load.
 */
async function loadForEarlierUploads(): Promise<void> {
  try {
    const countOf = async (path: '/api/uploads' | '/api/upload-folders') =>
      ((await (await sendSigned(withBase(path), {})).json()) as { length?: number }).length;
    const counts = await Promise.all([countOf('/api/uploads'), countOf('/api/upload-folders')]);
    if (counts.some(Boolean)) await uploadCode.load();
  } catch {
    // They are shown with the first upload, or by the next page.
  }
}

/** Prevents a file that is dropped outside a drop target from replacing the page. */
function refuseStrayFiles(event: DragEvent): void {
  if (event.defaultPrevented || event.dataTransfer?.types.includes('Files') !== true) return;
  const isForField = event.target instanceof HTMLInputElement && event.target.type === 'file';
  if (isForField) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'none';
}
