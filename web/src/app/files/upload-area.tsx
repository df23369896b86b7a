import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect } from 'react';
import { uploadOperations } from '../../api/stored-operations.ts';
import { addOperations } from '../../features/files/feedback/undo.ts';
import { SignOutDialog } from '../../features/uploads/sign-out-dialog.tsx';
import { currentToken, subscribeToToken } from '../../api/token-store.ts';
import {
  blockedUploads,
  openTabs,
  sharedTray,
  unfinishedUploads,
  uploadQueue,
} from '../../features/uploads/queue/page-queue.ts';
import type { OpenWork } from '../../features/uploads/unfinished/unfinished-uploads.ts';
import { useSession } from '../../features/sessions/session-store.ts';
import { Uploads } from '../../features/uploads/uploads.tsx';
import {
  collectChosen,
  collectPasted,
  collectPicked,
} from '../../features/uploads/collecting/collect-chosen.ts';
import { collectDropped } from '../../features/uploads/collecting/collect-dropped.ts';
import type { CollectedItems } from '../../features/uploads/collecting/upload-item.ts';
import { formatNumber } from '../../i18n/format.ts';
import { i18n } from '../../i18n/i18n.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { PlayerHost } from '../player/player-host.tsx';

export { confirmSignOut } from '../../features/uploads/sign-out-dialog.tsx';
export { showUploadRows } from './upload-rows.ts';
export { uploadQueue };
/** The functions that collect the items to upload, by the way in which the user chose them. */
export const collectors = { collectChosen, collectDropped, collectPasted, collectPicked };

/** Adds collected items to the queue. A notice names those that could not be read. */
export function addUploads(
  { items, unreadable, folderHandles }: CollectedItems,
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
  void uploadQueue.enqueue({ destination, items, canReplace, folderHandles });
}

/** The user whose uploads are in the queue. */
let owner: number | null = null;

/** Returns the uploads that the open pages of this browser work on. */
async function findOpenWork(): Promise<OpenWork> {
  const pages = await openTabs.openPages();
  const peers = [...openTabs.peers.values()];
  return {
    pages,
    addresses: new Set([...uploadQueue.addresses(), ...peers.flatMap(({ addresses }) => addresses)]),
    folders: new Set([...uploadQueue.folderIds(), ...peers.flatMap(({ folders }) => folders)]),
  };
}

/**
 * Resumes the uploads that have been waiting since the session of this user ended. Those of another user are dropped:
 * nobody else may see them or send them under another name.
 */
function resumeUploadsOf(userId: number): void {
  if (owner !== null && owner !== userId) uploadQueue.forget();
  owner = userId;
  openTabs.open(userId);
  unfinishedUploads.open(findOpenWork);
  void blockedUploads.refresh();
  uploadQueue.release();
}

/** The maximum number of upload requests that one undo reverts. A request contains up to a hundred small files. */
const maxUndoneUploads = 200;

/** Makes finished uploads undoable by key, together. Large ones are undone in the history, operation by operation. */
function makeUploadsUndoable(): void {
  const operations = uploadOperations.take();
  if (operations.length <= maxUndoneUploads) addOperations(operations);
}

/**
 * The tray of uploads and its prompts, and the small player, which are present on every screen. Render it once, beside the routes, while
 * a user is signed in. The player is here because it needs an input on the page too, after which this code is fetched.
 */
export function UploadArea({ userId }: { userId: number }) {
  const canReplace = useSession().user?.perm.modify === true;
  useEffect(() => {
    resumeUploadsOf(userId);
    const refresh = () => void unfinishedUploads.refresh();
    const unsubscribers = [
      subscribeToToken(() => {
        if (currentToken() !== null) uploadQueue.release();
      }),
      openTabs.onGone(refresh),
      uploadQueue.onFinished(refresh),
      uploadQueue.onFinished(makeUploadsUndoable),
    ];
    window.addEventListener('focus', refresh);
    return () => {
      window.removeEventListener('focus', refresh);
      for (const unsubscribe of unsubscribers) unsubscribe();
      uploadQueue.hold();
      openTabs.close();
      unfinishedUploads.close();
      blockedUploads.close();
    };
  }, [userId]);
  return (
    <>
      <Uploads
        queue={uploadQueue}
        shared={sharedTray}
        unfinished={unfinishedUploads}
        canReplace={canReplace}
        blocked={blockedUploads}
      />
      <SignOutDialog />
      <PlayerHost userId={userId} />
    </>
  );
}
