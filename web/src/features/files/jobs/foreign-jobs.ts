import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { getJob, type Job } from '@filestead/contract/jobs';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { call } from '../../../api/call.ts';
import { announceChange, foldersOf } from '../entries/changes.ts';
import { pluralValues } from '../../../i18n/format.ts';
import { folderName } from '../../../i18n/folder-name.ts';
import { filesText } from '../feedback/files-text.ts';
import { toastDone } from '../feedback/toasts.ts';
import { forgetJob, watchJobs } from './follow-jobs.ts';
import { isActive, findNote, useJobs } from './job-store.ts';
import { isOwnJob } from './own-jobs.ts';

/** The channel on which a page notifies the other pages of the browser that it has started a job. */
const channelName = 'filestead jobs';

/**
 * Follows jobs that this page did not start, until `signal` is aborted: from before a reload, of other tabs and of programs.
 * When one ends, the folders that it changed are reloaded. The other pages are notified of jobs that this page starts, so that
 * all of them show the same tray.
 */
export function followForeignJobs(signal: AbortSignal): void {
  if (signal.aborted) return;
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(channelName) : null;
  channel?.addEventListener('message', () => void watchJobs());
  const activeIds = new Set(
    useJobs
      .getState()
      .jobs.filter(isActive)
      .map(({ id }) => id),
  );
  const unsubscribe = useJobs.subscribe(({ jobs }) => {
    for (const job of jobs) {
      if (isActive(job)) {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Channels have none.
        if (!activeIds.has(job.id) && findNote(job.id) !== null) channel?.postMessage(null);
        activeIds.add(job.id);
      } else if (activeIds.delete(job.id) && !isOwnJob(job.id)) void handleEnd(job);
    }
  });
  signal.addEventListener('abort', () => {
    unsubscribe();
    channel?.close();
  });
}

async function handleEnd(job: Job): Promise<void> {
  if (job.kind === 'checksum' || job.kind === 'duplicates') return;
  try {
    const { results } = await call(getJob, { params: { id: job.id } });
    const done = results.filter(({ code }) => code === undefined);
    const sources = done.map(({ path }) => virtualPath(path));
    const destinations = done.flatMap(({ to }) => (to === undefined ? [] : [virtualPath(to)]));
    announceChange({
      folders: foldersOf([...sources, ...destinations]),
      ...(job.kind === 'delete' && { removed: sources }),
    });
  } catch {
    // The job is forgotten or the server cannot be reached; the folder shows the result when it is loaded next.
  }
  notifyEnd(job);
}

/** Notifies of the success of a job from before the reload; its failures remain listed until the user closes them. */
function notifyEnd(job: Job): void {
  const note = findNote(job.id);
  if (!note || job.state !== 'done' || job.items.failed > 0) return;
  void forgetJob(job.id);
  const values = {
    ...pluralValues(job.items.done),
    name: isolateBidi(note.name),
    folder: folderName(note.destination ?? virtualPath('/')),
  };
  const one = {
    delete: 'done.removedOne',
    move: 'done.movedOne',
    copy: 'done.copiedOne',
    restore: 'done.restoredOne',
  } as const;
  const many = {
    delete: 'done.removedMany',
    move: 'done.movedMany',
    copy: 'done.copiedMany',
    restore: 'done.restoredMany',
  } as const;
  // The result of other kinds is seen in the folder.
  const { kind } = job;
  if (kind !== 'delete' && kind !== 'move' && kind !== 'copy' && kind !== 'restore') return;
  toastDone(filesText(note.name === '' ? many[kind] : one[kind], values));
}
