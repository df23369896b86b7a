import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { getJob, type Job } from '@filestead/contract/jobs';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { call } from '../../../api/call.ts';
import { announceChange, foldersOf } from '../entries/changes.ts';
import { counted, filesText, folderName, toastDone } from '../feedback/toasts.ts';
import { isActive, noteOf, useJobs } from './job-store.ts';
import { forgetJob, isOwnJob } from './run-job.ts';

/**
 * Looks after jobs that this page did not begin: those of before a reload, of other tabs and of programs. When one ends,
 * the folders that it changed are read again. Returns the way to stop.
 */
export function settleForeignJobs(): () => void {
  const atWork = new Set(
    useJobs
      .getState()
      .jobs.filter(isActive)
      .map(({ id }) => id),
  );
  return useJobs.subscribe(({ jobs }) => {
    for (const job of jobs) {
      if (isActive(job)) atWork.add(job.id);
      else if (atWork.delete(job.id) && !isOwnJob(job.id)) void settle(job);
    }
  });
}

async function settle(job: Job): Promise<void> {
  if (job.kind === 'checksum') return;
  try {
    const { results } = await call(getJob, { params: { id: job.id } });
    const done = results.filter(({ code }) => code === undefined);
    const sources = done.map(({ path }) => virtualPath(path));
    const places = done.flatMap(({ to }) => (to === undefined ? [] : [virtualPath(to)]));
    announceChange({
      folders: foldersOf([...sources, ...places]),
      ...(job.kind === 'delete' && { removed: sources }),
    });
  } catch {
    // It is forgotten already, or nobody can be asked: the folder shows it when it is read next time.
  }
  tellEnd(job);
}

/** Says how a job of before the reload has ended; what failed stays listed until it has been read. */
function tellEnd(job: Job): void {
  const note = noteOf(job.id);
  if (!note || job.state !== 'done' || job.items.failed > 0) return;
  void forgetJob(job.id);
  const values = {
    ...counted(job.items.done),
    name: isolateBidi(note.name),
    folder: folderName(note.destination ?? virtualPath('/')),
  };
  const one = { delete: 'done.removedOne', move: 'done.movedOne', copy: 'done.copiedOne' } as const;
  const many = { delete: 'done.removedMany', move: 'done.movedMany', copy: 'done.copiedMany' } as const;
  if (job.kind === 'checksum') return;
  toastDone(filesText(note.name === '' ? many[job.kind] : one[job.kind], values));
}
