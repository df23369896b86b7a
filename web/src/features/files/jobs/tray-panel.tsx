import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import type { Job, JobKind } from '@filestead/contract/jobs';
import { childOf, nameOf, virtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { formatDuration, formatNumber, formatSize, pluralValues } from '../../../i18n/format.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { TrayCard } from '../../../ui/feedback/tray/tray-card.tsx';
import { TraySection } from '../../../ui/feedback/tray/tray-section.tsx';
import { useTasks, type Task } from '../feedback/tasks.ts';
import { folderName } from '../../../i18n/folder-name.ts';
import { toastFailure } from '../feedback/toasts.ts';
import { ReportRow } from './report-row.tsx';
import { useReports, type Report } from './reports.ts';
import { findNote, remainingSeconds, progressOf, useJobs, type Milestone } from './job-store.ts';
import { forgetJob } from './follow-jobs.ts';
import { beginJob } from './run-job.ts';
import { activeJobs, failedJobs } from './tray-content.ts';
import styles from './tray-panel.module.css';

/** The tray with the sections of all features; the section of jobs is shown if `hasWork`. */
export function ActivityTray({ hasWork }: { hasWork: boolean }) {
  const { t } = useTranslation('jobs');
  return (
    <>
      <TrayCard
        labels={{
          tray: t('tray.label'),
          expand: t('tray.expand'),
          collapse: t('tray.collapse'),
          alerts: (count) => t('tray.alerts', pluralValues(count)),
        }}
      />
      {hasWork && <JobsSection />}
    </>
  );
}

/** Active work and failures. */
function JobsSection() {
  const { t } = useTranslation('jobs');
  const { tasks } = useTasks();
  const { jobs, milestones } = useJobs();
  const { reports } = useReports();
  const active = activeJobs(jobs);
  const failed = failedJobs(jobs);
  const running = tasks.length + active.length;
  const alerts = failed.length + reports.length;
  const [onlyJob] = active;
  return (
    <TraySection
      id="jobs"
      label={t('label')}
      title={running > 0 ? t('tray.running', pluralValues(running)) : t('tray.failed', pluralValues(alerts))}
      shortTitle={running === 1 && onlyJob ? labelOf(onlyJob, t) : undefined}
      progress={meanProgress(tasks, active)}
      isBusy={running > 0}
      size={running + alerts}
      alerts={alerts}
    >
      {tasks.map((task) => (
        <TaskRow key={task.id} task={task} />
      ))}
      {active.map((job) => (
        <JobRow key={job.id} job={job} from={milestones.get(job.id)} />
      ))}
      {active.length > 0 && <p className={styles.hint}>{t('goesOn')}</p>}
      {failed.map((job) => (
        <ReportRow key={job.id} report={reportOf(job, t)} onClose={() => void forgetJob(job.id)} />
      ))}
      {reports.map((report) => (
        <ReportRow key={report.id} report={report} />
      ))}
    </TraySection>
  );
}

/** Returns the progress of all work, from 0 to 1; null while none is known. */
function meanProgress(tasks: readonly Task[], jobs: readonly Job[]): number | null {
  const known = [
    ...tasks.filter(({ total }) => total > 1).map(({ finished, total }) => finished / total),
    ...jobs.flatMap((job) => progressOf(job) ?? []),
  ];
  return known.length === 0 ? null : known.reduce((sum, fraction) => sum + fraction, 0) / known.length;
}

/** Whether the page creates jobs of this kind itself, so that it can create another one for the failed items. */
const isRequested = (kind: JobKind): kind is 'copy' | 'move' | 'delete' =>
  kind === 'copy' || kind === 'move' || kind === 'delete';

/** Creates the report of a job that this page did not start. It can be retried if this tab knows its destination. */
function reportOf(job: Job, t: Translate): Report {
  const note = findNote(job.id);
  const { kind, items, failures, id } = job;
  // An archive may have been extracted without some of its files.
  const counts =
    kind === 'extract'
      ? { total: job.entries.total ?? failures.length, failed: failures.length }
      : { total: items.total, failed: items.failed };
  const base = { id, kind, ...counts, failures };
  if (!note || !isRequested(kind) || failures.length < items.failed) return base;
  const { destination } = note;
  const paths = failures.map(({ path }) => virtualPath(path));
  return {
    ...base,
    retry: () => {
      void forgetJob(id);
      const remaining = paths.map((from) => ({
        from,
        ...(destination !== null && { to: childOf(destination, nameOf(from)) }),
      }));
      const name = paths.length === 1 && paths[0] ? nameOf(paths[0]) : '';
      beginJob({ kind, items: remaining }, { name, destination }).catch((error: unknown) =>
        toastFailure(
          t(`failed.${kind}`, { ...pluralValues(paths.length), total: pluralValues(paths.length).number }),
          error,
        ),
      );
    },
  };
}

interface RowProps {
  label: string;
  details: string;
  fraction: number | null;
  isStopping: boolean;
  onStop: () => void;
}

function Row({ label, details, fraction, isStopping, onStop }: RowProps) {
  const { t } = useTranslation('jobs');
  return (
    <div className={styles.task}>
      <div className={styles.texts}>
        <span className={styles.label} title={label}>
          {label}
        </span>
        <span className={styles.details}>{isStopping ? t('stopping') : details}</span>
      </div>
      <Button
        size="small"
        variant="quiet"
        aria-label={t('stopTask', { task: label })}
        isDisabled={isStopping}
        onClick={onStop}
      >
        {t('stop')}
      </Button>
      <ProgressBar
        className={styles.bar}
        label={label}
        value={fraction ?? 'indeterminate'}
        valueText={details === '' ? undefined : details}
      />
    </div>
  );
}

const jobKinds = { removing: 'delete', moving: 'move', copying: 'copy' } as const;

function TaskRow({ task: { kind, total, finished, isStopping, stop } }: { task: Task }) {
  const { t } = useTranslation('jobs');
  return (
    <Row
      label={t(`task.${jobKinds[kind]}Many`, pluralValues(total))}
      details={total > 1 ? t('entries', { done: formatNumber(finished), total: formatNumber(total) }) : ''}
      fraction={total > 1 ? finished / total : null}
      isStopping={isStopping}
      onStop={stop}
    />
  );
}

function JobRow({ job, from }: { job: Job; from: Milestone | undefined }) {
  const { t } = useTranslation('jobs');
  const [isStopping, setStopping] = useState(false);
  const nowMs = useClock();
  const fraction = progressOf(job);
  const seconds = remainingSeconds(fraction, from, nowMs);
  return (
    <Row
      label={labelOf(job, t)}
      details={detailsOf(job, seconds, t)}
      fraction={job.state === 'queued' ? null : fraction}
      isStopping={isStopping}
      onStop={() => {
        setStopping(true);
        void forgetJob(job.id);
      }}
    />
  );
}

type Translate = ReturnType<typeof useTranslation<'jobs'>>['t'];

function labelOf({ id, kind, items }: Job, t: Translate): string {
  const note = findNote(id);
  const values = { ...pluralValues(items.total), name: isolateBidi(note?.name ?? '') };
  const hasName = note !== null && note.name !== '';
  if (note?.destination && isTransfer(kind)) {
    const folder = folderName(note.destination);
    return t(`task.${kind}${hasName ? 'OneTo' : 'ManyTo'}`, { ...values, folder });
  }
  return t(`task.${kind}${hasName ? 'One' : 'Many'}`, values);
}

const isTransfer = (kind: JobKind): kind is 'copy' | 'move' => kind === 'copy' || kind === 'move';

function detailsOf(
  { kind, state, attempt, entries, bytes }: Job,
  remainingSeconds: number | null,
  t: Translate,
): string {
  if (state === 'queued') return t('waiting');
  if (entries.total === null) return t('counting');
  const details = [t('entries', { done: formatNumber(entries.done), total: formatNumber(entries.total) })];
  if (bytes.total !== null && bytes.total > 0) {
    details.push(t('bytes', { done: formatSize(bytes.done), total: formatSize(bytes.total) }));
  } else if (kind === 'move' && bytes.done > 0) {
    // Only a move to another file system copies bytes.
    details.push(formatSize(bytes.done));
  }
  if (remainingSeconds !== null)
    details.push(t('timeLeft', { time: formatDuration(Math.max(1, remainingSeconds)) }));
  if (attempt > 1) details.push(t('continued'));
  return details.join(' · ');
}

/** Returns the current time, updated every second. */
function useClock(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
