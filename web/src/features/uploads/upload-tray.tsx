import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { formatPercent, pluralValues } from '../../i18n/format.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { Pause, Play, RotateCcw, X } from '../../ui/icons.ts';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { TraySection } from '../../ui/feedback/tray/tray-section.tsx';
import { useTray } from '../../ui/feedback/tray/tray-store.ts';
import { BlockedOffer } from './blocked-offer.tsx';
import type { BlockedUploads } from './blocked-uploads.ts';
import { InterruptedOffer } from './interrupted-offer.tsx';
import type { UnfinishedUploads } from './unfinished/unfinished-uploads.ts';
import type { UploadJob } from './queue/upload-job.ts';
import type { UploadQueue } from './queue/upload-queue.ts';
import type { Tray } from './tray.ts';
import { UploadRow, uploadRowHeightPx } from './upload-row.tsx';
import { headline, sumText, summaryText } from './upload-texts.ts';
import styles from './upload-tray.module.css';
import { useWindow } from './use-window.ts';

interface UploadTrayProps {
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

/** The section of the uploads in the tray; rendered only if it has content. */
export function UploadTray({ queue, shared, unfinished, canReplace, blocked }: UploadTrayProps) {
  const { t } = useTranslation('uploads');
  const totals = useSyncExternalStore(shared.subscribe, shared.getSnapshot);
  const snapshot = useSyncExternalStore(unfinished.subscribe, unfinished.getSnapshot);
  const interruptedCount = snapshot.uploads.length + snapshot.folders.length;
  const blockedUploads = useSyncExternalStore(blocked.subscribe, blocked.getSnapshot);
  const offerId = useId();
  const blockedId = useId();
  const { total, planned, progress, isBusy, counts } = totals;
  const hasUploads = total > 0 || planned > 0;
  useDismissal(shared, hasUploads && !isBusy && counts.failed === 0);
  const hasContent = hasUploads || interruptedCount > 0 || blockedUploads.length > 0;
  const waiting =
    blockedUploads.length > 0
      ? t('blocked.title', pluralValues(blockedUploads.length))
      : t('interrupted.title', pluralValues(interruptedCount));
  return (
    <>
      {hasContent && (
        <TraySection
          id="uploads"
          label={t('title')}
          title={hasUploads ? headline(t, totals) : t('title')}
          shortTitle={hasUploads ? undefined : waiting}
          progress={total === 0 ? null : progress}
          isBusy={isBusy}
          isWaiting={interruptedCount > 0}
          size={total + planned + interruptedCount + blockedUploads.length}
          alerts={counts.failed + blockedUploads.length}
          actions={hasUploads && <QueueActions queue={shared} />}
        >
          {hasUploads && <Queue queue={shared} />}
          {blockedUploads.length > 0 && (
            <BlockedOffer id={blockedId} uploads={blockedUploads} blocked={blocked} />
          )}
          {interruptedCount > 0 && (
            <InterruptedOffer
              id={offerId}
              snapshot={snapshot}
              unfinished={unfinished}
              queue={queue}
              canReplace={canReplace}
            />
          )}
        </TraySection>
      )}
      {/* Outside the section, which is rendered only while the tray is open. */}
      <Announcements queue={queue} shared={shared} />
    </>
  );
}

/** Finished uploads leave the tray after this time, in ms. */
const dismissMs = 10_000;

/** Removes the uploads from the tray some time after all of them have succeeded, unless the user is looking at them. */
function useDismissal(shared: Tray, isFinished: boolean): void {
  const isHeld = useTray((state) => state.isHeld);
  useEffect(() => {
    if (!isFinished || isHeld) return undefined;
    const timer = setTimeout(() => shared.dismiss(), dismissMs);
    return () => clearTimeout(timer);
  }, [shared, isFinished, isHeld]);
}

/** The buttons for all uploads. */
function QueueActions({ queue }: { queue: Tray }) {
  const { t } = useTranslation('uploads');
  const { counts, isBusy, isPaused, total } = useSyncExternalStore(queue.subscribe, queue.getSnapshot);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      {counts.failed > 0 && queue.rows().some(isRetriable) && (
        <IconButton
          size="small"
          label={t('tray.retryFailed')}
          icon={<RotateCcw />}
          onClick={() => queue.retryFailed()}
        />
      )}
      {isBusy && total > 0 && (
        <IconButton
          size="small"
          label={isPaused ? t('tray.resume') : t('tray.pause')}
          icon={isPaused ? <Play /> : <Pause />}
          onClick={() => (isPaused ? queue.resumeAll() : queue.pauseAll())}
        />
      )}
      <IconButton
        size="small"
        label={isBusy ? t('tray.cancelAll') : t('tray.dismiss')}
        icon={<X />}
        onClick={() => (isBusy ? setAsking(true) : queue.dismiss())}
      />
      <ConfirmDialog
        title={t('cancelAll.title')}
        isOpen={isAsking && isBusy}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          void queue.cancelAll();
        }}
        cancelLabel={t('cancelAll.keep')}
        confirmLabel={t('cancelAll.confirm')}
        isPermanent={false}
      >
        {t('cancelAll.text')}
      </ConfirmDialog>
    </>
  );
}

/** The queued uploads with their total progress. */
function Queue({ queue }: { queue: Tray }) {
  const { t } = useTranslation('uploads');
  const snapshot = useSyncExternalStore(queue.subscribe, queue.getSnapshot);
  const { isBusy, isPaused, progress, total } = snapshot;
  return (
    <>
      {isBusy && (
        <ProgressBar
          className={styles.total}
          label={t('tray.progress')}
          value={total === 0 ? 'indeterminate' : progress}
          tone={isPaused ? 'warning' : 'accent'}
        />
      )}
      {isBusy && total > 0 && <p className={styles.sum}>{sumText(t, snapshot)}</p>}
      {total > 0 && <UploadList queue={queue} />}
    </>
  );
}

/** Whether a retry can succeed. A name that the server has refused would be refused again. */
const isRetriable = ({ state, path, failure, contents }: UploadJob): boolean =>
  state === 'failed' && path !== null && failure !== 'blocked' && contents === null;

function UploadList({ queue }: { queue: Tray }) {
  const { t } = useTranslation('uploads');
  useSyncExternalStore(queue.subscribe, queue.getSnapshot);
  const rows = queue.rows();
  const { ref, onScroll, first, end } = useWindow(rows.length, uploadRowHeightPx);
  return (
    <div ref={ref} onScroll={onScroll} className={styles.viewport}>
      <ul
        className={styles.list}
        aria-label={t('tray.list')}
        style={{ blockSize: rows.length * uploadRowHeightPx }}
      >
        {rows.slice(first, end).map((job, index) => (
          <UploadRow
            key={job.id}
            job={job}
            queue={queue}
            position={first + index + 1}
            setSize={rows.length}
            style={{ insetBlockStart: (first + index) * uploadRowHeightPx }}
          />
        ))}
      </ul>
    </div>
  );
}

/** The time after which the tray has opened for uploads that end at once, in ms. */
const openingMs = 300;

/** Whether the end of the uploads can be read in the tray: not while it is a small button, or covered by an opened file. */
const isInView = (isPhone: boolean): boolean =>
  (useTray.getState().isOpen || isPhone) && document.querySelector('[data-cover]') === null;

/**
 * Announces to assistive technology that uploads began, each quarter of the progress, failures, and the end. A toast
 * reports the end where the tray does not show it, and failures, which the user may want to report.
 */
function Announcements({ queue, shared }: { queue: UploadQueue; shared: Tray }) {
  const { t } = useTranslation('uploads');
  const isPhone = useIsPhone();
  const snapshot = useSyncExternalStore(shared.subscribe, shared.getSnapshot);
  const [text, setText] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = queue.onFinished((summary) => {
      const message = summaryText(t, summary);
      clearTimeout(timer);
      if (message === null) return;
      if (summary.failed > 0) showToast({ tone: 'error', message });
      else
        timer = setTimeout(() => {
          if (isInView(isPhone)) setText(message);
          else showToast({ tone: 'success', message });
        }, openingMs);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [queue, t, isPhone]);
  const announced = useRef({ total: 0, quarter: 0, failed: 0 });
  useEffect(
    () =>
      shared.subscribe(() => {
        if (shared.getSnapshot().total === 0) setText('');
      }),
    [shared],
  );
  const { total, progress, counts, isBusy } = snapshot;
  const quarter = Math.floor(progress * 4);
  // They may end before the tray has been fetched.
  const endText = isBusy ? null : headline(t, snapshot);
  useEffect(() => {
    const before = announced.current;
    announced.current = { total, quarter: isBusy ? quarter : 0, failed: counts.failed };
    if (counts.failed > before.failed) setText(t('announce.failed', pluralValues(counts.failed)));
    else if (total > before.total) setText(endText ?? t('announce.started', pluralValues(total)));
    else if (isBusy && quarter > before.quarter && quarter < 4) {
      setText(t('announce.progress', { percent: formatPercent(quarter / 4) }));
    }
  }, [t, total, quarter, counts.failed, isBusy, endText]);
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {text}
    </div>
  );
}
