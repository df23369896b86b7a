import { useEffect, useState } from 'react';
import { loadTexts } from '../../../i18n/i18n.ts';
import { lazyPart, useLazyPart } from '../../../ui/overlays/lazy-part.ts';
import { watchJobs } from '../jobs/follow-jobs.ts';
import { settleForeignJobs } from '../jobs/foreign-jobs.ts';
import { useJobs } from '../jobs/job-store.ts';
import { useReports } from '../jobs/reports.ts';
import { trayHasContent } from '../jobs/tray-content.ts';
import { useTasks } from './tasks.ts';

/** Quick work shows nothing: its end is news enough. In ms. */
const quietMs = 1000;
/** Jobs of before a reload are looked for this long after the page is there, in ms: the folder comes first. */
const firstLookMs = 800;

const trayPart = lazyPart(async () => {
  const [{ TrayPanel }] = await Promise.all([import('../jobs/tray-panel.tsx'), loadTexts('jobs')]);
  return { TrayPanel };
});

/** Work that takes longer than a second: how far it is, a way to stop it, and what has failed. */
export function TaskTray() {
  const { tasks } = useTasks();
  const { jobs } = useJobs();
  const { reports } = useReports();
  useWatchedJobs();
  const isWanted = useLasting(trayHasContent({ tasks, jobs, reports }));
  const part = useLazyPart(trayPart, isWanted, ignoreFailure);
  if (!isWanted || !part) return null;
  return <part.TrayPanel />;
}

/** Finds jobs that were begun before the page was loaded, or elsewhere: now, and whenever one comes back to the page. */
function useWatchedJobs(): void {
  useEffect(() => {
    const timer = setTimeout(() => void watchJobs(), firstLookMs);
    const onVisible = () => {
      if (document.visibilityState === 'visible') void watchJobs();
    };
    document.addEventListener('visibilitychange', onVisible);
    const stop = settleForeignJobs();
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
      stop();
    };
  }, []);
}

/** True once `isThere` has been true for {@link quietMs}. */
function useLasting(isThere: boolean): boolean {
  const [isLasting, setLasting] = useState(false);
  if (!isThere && isLasting) setLasting(false);
  useEffect(() => {
    if (!isThere) return undefined;
    const timer = setTimeout(() => setLasting(true), quietMs);
    return () => clearTimeout(timer);
  }, [isThere]);
  return isLasting && isThere;
}

/** Work goes on without its tray; the user has read that a part could not be loaded. */
function ignoreFailure(): void {}
