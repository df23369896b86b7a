import { nameOf, parentOf } from '@filestead/contract/paths/virtual-path';
import { useId, type CSSProperties } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Link } from '../../ui/navigation/router.tsx';
import { displayName } from '../../i18n/display-name.ts';
import { FileIcon } from '../../ui/names/file-icon.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { CircleAlert, CircleCheck, Pause, Play, RotateCcw, X } from '../../ui/icons.ts';
import { LongName } from '../../ui/names/long-name.tsx';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { fileAddress } from '../../ui/navigation/file-address.ts';
import { uploadIconKind } from './upload-icon.ts';
import type { UploadJob } from './queue/upload-job.ts';
import type { Tray } from './tray.ts';
import styles from './upload-row.module.css';
import { percentText, stateText } from './upload-texts.ts';

/** The height of a row in CSS pixels; same value as in the style sheet. */
export const uploadRowHeightPx = 56;

interface UploadRowProps {
  job: UploadJob;
  queue: Tray;
  /** Counted from 1. */
  position: number;
  setSize: number;
  style: CSSProperties;
}

/** One upload with its name, its progress and its actions. */
export function UploadRow({ job, queue, position, setSize, style }: UploadRowProps) {
  const { t } = useTranslation('uploads');
  const { state, path } = job;
  const name = displayName(job.name);
  const nameId = useId();
  const percent = percentText(job);
  const secondsLeft = job.bytesPerSecond > 0 ? (job.size - job.sentBytes) / job.bytesPerSecond : null;
  // The failed files of a folder have rows of their own.
  const canRetry =
    (state === 'failed' || state === 'cancelled') &&
    path !== null &&
    job.failure !== 'blocked' &&
    (job.contents === null || state === 'cancelled');
  const canCancel = state === 'waiting' || state === 'sending' || state === 'asking' || state === 'paused';
  // If all bytes have been sent, only the response is missing.
  const canPause =
    state === 'waiting' || (state === 'sending' && (job.sentBytes < job.size || job.contents !== null));
  return (
    <li
      className={styles.row}
      style={style}
      aria-posinset={position}
      aria-setsize={setSize}
      data-state={state}
    >
      <FileIcon kind={uploadIconKind(job)} size={24} />
      <div className={styles.texts}>
        <div className={styles.head}>
          <div id={nameId} className={styles.name} title={name}>
            {state === 'done' && path ? (
              <Link to={fileAddress(path, job.kind === 'folder')}>
                <LongName name={name} />
              </Link>
            ) : (
              <LongName name={name} />
            )}
          </div>
          {percent !== null && <span className={styles.percent}>{percent}</span>}
        </div>
        <div className={styles.state}>{stateText(t, job, job.bytesPerSecond, secondsLeft)}</div>
        {(state === 'sending' || (state === 'paused' && job.sentBytes > 0)) && (
          <ProgressBar
            className={styles.bar}
            label={t('row.progress', { name })}
            value={job.size > 0 ? job.sentBytes / job.size : 'indeterminate'}
            tone={state === 'paused' || job.isInterrupted ? 'warning' : 'accent'}
          />
        )}
      </div>
      {state === 'done' && <CircleCheck className={styles.tick} aria-label={t('row.done')} role="img" />}
      {state === 'done' && path && (
        <Link
          className={styles.show}
          aria-describedby={nameId}
          to={fileAddress(parentOf(path), true)}
          state={{ reveal: nameOf(path) }}
        >
          {t('row.show')}
        </Link>
      )}
      {state === 'failed' && !canRetry && <CircleAlert className={styles.alert} aria-hidden="true" />}
      <span className={styles.buttons}>
        {(canPause || state === 'paused') && (
          <IconButton
            size="small"
            label={canPause ? t('row.pause', { name }) : t('row.resume', { name })}
            icon={canPause ? <Pause /> : <Play />}
            onClick={() => (canPause ? queue.pause(job.id) : queue.resume(job.id))}
          />
        )}
        {(canRetry || canCancel) && (
          <IconButton
            size="small"
            label={canRetry ? t('row.retry', { name }) : t('row.cancel', { name })}
            icon={canRetry ? <RotateCcw /> : <X />}
            onClick={() => (canRetry ? queue.retry(job.id) : queue.cancel(job.id))}
          />
        )}
      </span>
    </li>
  );
}
