import { useEffect, useState } from 'react';
import { loadTexts } from '../../../i18n/i18n.ts';
import { hasTraySections, useTray } from '../../../ui/feedback/tray/tray-store.ts';
import { lazyPart, useLazyPart } from '../../../ui/overlays/lazy-part.ts';
import { watchJobs } from '../jobs/follow-jobs.ts';
import { useJobs } from '../jobs/job-store.ts';
import { useReports } from '../jobs/reports.ts';
import { hasShownJobs } from '../jobs/tray-content.ts';
import { useTasks } from './tasks.ts';

/** Jobs that end within this time are not shown in the tray, in ms. */
const trayDelayMs = 1000;
/** The delay before jobs from before a reload are requested, in ms, so that the folder loads first. */
const jobsDelayMs = 800;

const trayPart = lazyPart(async () => {
  const [{ ActivityTray }] = await Promise.all([import('../jobs/tray-panel.tsx'), loadTexts('jobs')]);
  return { ActivityTray };
});

/**
 * The tray: the card with the sections of all features, and in it work that takes longer than a second, with its progress, a
 * stop button and its failures. Render it once, outside the routes, while a user is signed in.
 */
export function TaskTray() {
  const { tasks } = useTasks();
  const { jobs } = useJobs();
  const { reports } = useReports();
  const hasSections = useTray(hasTraySections);
  useWatchedJobs();
  const hasJobs = useDelayed(hasShownJobs(jobs));
  // A task is added only after a second, and a report is a result.
  const hasWork = hasJobs || tasks.length > 0 || reports.length > 0;
  const part = useLazyPart(trayPart, hasWork || hasSections, ignoreFailure);
  return part && <part.ActivityTray hasWork={hasWork} />;
}

/**
 * Finds jobs that were started before the page was loaded or elsewhere: at once, and whenever the page becomes
 * visible.
 */
function useWatchedJobs(): void {
  useEffect(() => {
    const watching = new AbortController();
    const timer = setTimeout(() => {
      void watchJobs();
      import('../jobs/foreign-jobs.ts').then(
        ({ followForeignJobs }) => followForeignJobs(watching.signal),
        ignoreFailure,
      );
    }, jobsDelayMs);
    const onVisible = () => {
      if (document.visibilityState === 'visible') void watchJobs();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
      watching.abort();
    };
  }, []);
}

/** Returns true once `hasContent` has been true for {@link trayDelayMs}. */
function useDelayed(hasContent: boolean): boolean {
  const [isDelayOver, setDelayOver] = useState(false);
  if (!hasContent && isDelayOver) setDelayOver(false);
  useEffect(() => {
    if (!hasContent) return undefined;
    const timer = setTimeout(() => setDelayOver(true), trayDelayMs);
    return () => clearTimeout(timer);
  }, [hasContent]);
  return isDelayOver && hasContent;
}

/** Work continues without its tray; the failure to load it has been reported. */
function ignoreFailure(): void {}
