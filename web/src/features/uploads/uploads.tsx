import { useEffect, useSyncExternalStore } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { pluralValues } from '../../i18n/format.ts';
import { useLazyPart, lazyPart } from '../../ui/overlays/lazy-part.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import type { BlockedUploads } from './blocked-uploads.ts';
import type { UnfinishedUploads } from './unfinished/unfinished-uploads.ts';
import type { UploadQueue } from './queue/upload-queue.ts';
import type { Tray } from './tray.ts';

/** The tray and the dialog are fetched when the first upload is added. */
const uploadParts = lazyPart(() => import('./lazy-components.ts'));

interface UploadsProps {
  queue: UploadQueue;
  /** The uploads of all open pages. */
  shared: Tray;
  /** The uploads that no page is sending. */
  unfinished: UnfinishedUploads;
  /** Whether the user may overwrite files. */
  canReplace: boolean;
  /** The uploads that wait for a decision. */
  blocked: BlockedUploads;
}

/**
 * The whole user interface of uploads: tray, prompts, and the browser's warning before the page is left during an
 * upload. Render it once, outside the routes, so that it survives navigation.
 */
export function Uploads({ queue, shared, unfinished, canReplace, blocked }: UploadsProps) {
  const { t } = useTranslation('uploads');
  const { isBusy } = useSyncExternalStore(queue.subscribe, queue.getSnapshot);
  const { total, planned } = useSyncExternalStore(shared.subscribe, shared.getSnapshot);
  const snapshot = useSyncExternalStore(unfinished.subscribe, unfinished.getSnapshot);
  const interruptedCount = snapshot.uploads.length + snapshot.folders.length;
  const waiting = useSyncExternalStore(blocked.subscribe, blocked.getSnapshot);
  const prompt = useSyncExternalStore(queue.conflicts.subscribe, queue.conflicts.getSnapshot);
  useEffect(
    () =>
      queue.onJoined((count) => showToast({ tone: 'success', message: t('joined', pluralValues(count)) })),
    [queue, t],
  );
  useEffect(() => {
    if (!isBusy) return undefined;
    const warn = (event: BeforeUnloadEvent) => {
      event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isBusy]);
  const hasContent =
    total > 0 || planned > 0 || prompt !== null || interruptedCount > 0 || waiting.length > 0;
  const parts = useLazyPart(uploadParts, hasContent, ignoreFailure);
  if (!parts) return null;
  return (
    <>
      <parts.UploadTray
        queue={queue}
        shared={shared}
        unfinished={unfinished}
        canReplace={canReplace}
        blocked={blocked}
      />
      <parts.UploadConflictDialog conflicts={queue.conflicts} />
    </>
  );
}

/** The uploads continue without their tray; the user has already been notified that a part could not be loaded. */
function ignoreFailure(): void {}
