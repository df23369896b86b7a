import type { TFunction } from 'i18next';
import {
  formatDuration,
  formatList,
  formatNumber,
  formatPercent,
  formatRate,
  formatSize,
  pluralValues,
} from '../../i18n/format.ts';
import type { FolderContents, UploadFailure, UploadJob, UploadState } from './queue/upload-job.ts';
import type { UploadSnapshot, UploadSummary } from './queue/upload-progress.ts';

type Translate = TFunction<'uploads'>;

/** The failures that have a message of their own. */
const failuresWithText = [
  'already_exists',
  'blocked',
  'connection_aborted',
  'deniedBySystem',
  'external_link',
  'forbidden',
  'hook_failed',
  'invalid_name',
  'name_too_long',
  'is_folder',
  'not_a_folder',
  'not_found',
  'not_signed_in',
  'no_connection',
  'payload_too_large',
  'readOnlyDisk',
  'storage_full',
  'too_many_requests',
  'unreadable',
] as const satisfies readonly UploadFailure[];

/** Returns the message for a failure. */
export const uploadFailureText = (t: Translate, failure: UploadFailure | null): string =>
  t(`failure.${failuresWithText.find((failureWithText) => failureWithText === failure) ?? 'unknown'}`);

/** Formats the remaining time, rounded to minutes from one minute on: the seconds of an estimate are noise. */
const timeLeft = (seconds: number): string =>
  formatDuration(seconds < 60 ? seconds : Math.round(seconds / 60) * 60);

/** Returns the progress of an upload that has begun and is not done; null for others. */
export const percentText = ({ state, kind, contents, size, sentBytes }: UploadJob): string | null =>
  (kind === 'file' || contents !== null) &&
  size > 0 &&
  (state === 'sending' || (state === 'paused' && sentBytes > 0))
    ? formatPercent(sentBytes / size)
    : null;

/** Returns the second line of an upload: its progress or its result. */
export function stateText(t: Translate, job: UploadJob, bytesPerSecond: number, secondsLeft: number | null) {
  if (job.contents !== null) return folderText(t, job, job.contents, secondsLeft);
  const total = formatSize(job.size);
  const bytes = t('row.bytesOf', { sent: formatSize(job.sentBytes), total });
  switch (job.state) {
    case 'sending': {
      if (job.isInterrupted) return t('row.interrupted');
      if (job.kind === 'folder') return t('row.folderWaiting');
      if (bytesPerSecond <= 0) return bytes;
      const left = secondsLeft === null ? [] : [timeLeft(secondsLeft)];
      return [bytes, formatRate(bytesPerSecond), ...left].join(' · ');
    }
    case 'paused':
      return job.sentBytes === 0 ? t('row.paused') : `${t('row.paused')} · ${bytes}`;
    case 'failed':
      return uploadFailureText(t, job.failure);
    case 'done':
      return job.kind === 'folder' ? t('row.folder') : total;
    default:
      return t(`row.${job.state}`);
  }
}

/** Returns the second line of a folder with everything in it: the files and bytes that have arrived. */
function folderText(
  t: Translate,
  { state, size, sentBytes, bytesPerSecond, isInterrupted }: UploadJob,
  { files, done, failed }: FolderContents,
  secondsLeft: number | null,
): string {
  if (isInterrupted) return t('row.interrupted');
  if (state === 'waiting' && done === 0) return t('row.waiting');
  const count =
    done === files
      ? t('row.files', pluralValues(files))
      : t('row.filesOf', { ...pluralValues(files), done: formatNumber(done) });
  const isDone = state === 'done' && done === files;
  const bytes = isDone
    ? formatSize(size)
    : t('row.bytesOf', { sent: formatSize(sentBytes), total: formatSize(size) });
  const isStopped = state === 'paused' || state === 'cancelled';
  const parts = [...(isStopped ? [t(`row.${state}`)] : []), count, bytes];
  if (failed > 0) parts.push(t('tray.failed', pluralValues(failed)));
  else if (state === 'sending' && bytesPerSecond > 0) {
    parts.push(formatRate(bytesPerSecond));
    if (secondsLeft !== null) parts.push(timeLeft(secondsLeft));
  }
  return parts.join(' · ');
}

/** The states of folders that need no mention beside their files. */
const quietFolderStates = ['done', 'sending', 'waiting', 'paused'] as const satisfies readonly UploadState[];

/** Returns the numbers of files by state; those of folders if nothing else is uploaded. Folders that failed or ask count. */
function countsOfFiles({ counts, folderCounts, total }: UploadSnapshot) {
  const quiet = quietFolderStates.reduce((sum, state) => sum + folderCounts[state], 0);
  if (quiet === total) return { ...counts, total };
  const files = { ...counts, total: total - quiet };
  for (const state of quietFolderStates) files[state] -= folderCounts[state];
  return files;
}

/** Returns the summary of the whole queue in one line. */
export function headline(t: Translate, snapshot: UploadSnapshot) {
  const { planned, isPaused, isBusy, secondsLeft } = snapshot;
  const { total, ...counts } = countsOfFiles(snapshot);
  if (planned > 0 && snapshot.counts.sending + snapshot.counts.waiting === 0)
    return t('tray.checking', pluralValues(planned));
  const done = formatNumber(counts.done + counts.skipped + counts.cancelled + counts.failed);
  const all = formatNumber(total + planned);
  if (isBusy && isPaused) return t('tray.paused', { done, total: all });
  if (isBusy) {
    return secondsLeft === null || secondsLeft < 1
      ? t('tray.uploading', { done, total: all })
      : t('tray.uploadingLeft', { done, total: all, left: timeLeft(secondsLeft) });
  }
  const parts = (['uploaded', 'failed', 'skipped', 'cancelled'] as const)
    .map((name) => ({ name, count: name === 'uploaded' ? counts.done : counts[name] }))
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => t(`tray.${name}`, pluralValues(count)));
  return parts.length > 0 ? parts.join(' · ') : t('tray.nothing');
}

/** Returns the total progress and speed. */
export function sumText(
  t: Translate,
  { progress, sentBytes, totalBytes, bytesPerSecond }: UploadSnapshot,
): string {
  const values = {
    percent: formatPercent(progress),
    sent: formatSize(sentBytes),
    total: formatSize(totalBytes),
  };
  return bytesPerSecond > 0
    ? t('tray.sumRate', { ...values, rate: formatRate(bytesPerSecond) })
    : t('tray.sum', values);
}

/** Returns the text of the final toast, or null if nothing was uploaded and nothing failed. */
export function summaryText(t: Translate, { files, folders, failed, skipped }: UploadSummary): string | null {
  const parts: string[] = [];
  if (files > 0 || (folders > 0 && files === 0)) {
    parts.push(
      files > 0 ? t('finished.files', pluralValues(files)) : t('finished.folders', pluralValues(folders)),
    );
  }
  if (failed > 0) parts.push(t('finished.failed', pluralValues(failed)));
  if (parts.length === 0) return null;
  if (skipped > 0) parts.push(t('tray.skipped', pluralValues(skipped)));
  return formatList(parts);
}
