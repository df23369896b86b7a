import { useEffect } from 'react';
import { pageConfig } from '../api/page-config.ts';
import { TaskTray } from '../features/files/feedback/task-tray.tsx';
import { useSession } from '../features/sessions/session-store.ts';
import { showLocale } from '../i18n/i18n.ts';
import { HistoryRouter } from '../ui/navigation/history-router.tsx';
import { ToastRegion } from '../ui/feedback/toast-region.tsx';
import { UserUploads } from './files/user-uploads.tsx';
import { AppRoutes } from './routes/app-routes.tsx';
import { ErrorBoundary } from './frame/error-boundary.tsx';
import { ErrorPage, statusOfError } from './frame/error-screen.tsx';

/** The application: router, screens and notifications. Theme, language and session have been initialized before. */
export function App({
  failure = null,
}: {
  /** The error if the session could not be started. */
  failure?: unknown;
}) {
  const { user } = useSession();
  useUserLocale(user?.locale ?? '');
  return (
    <HistoryRouter basename={pageConfig.BaseURL || '/'}>
      <ErrorBoundary>
        {failure === null ? <AppRoutes /> : <ErrorPage status={statusOfError(failure)} needsReload />}
      </ErrorBoundary>
      {user && <UserUploads key={user.id} userId={user.id} />}
      {user && <TaskTray key={`tray ${user.id}`} />}
      <ToastRegion reportURL={pageConfig.ReportURL} />
    </HistoryRouter>
  );
}

/** Applies the language of the signed-in user, also after a change in another tab. */
function useUserLocale(locale: string): void {
  useEffect(() => {
    // If the texts cannot be fetched, the page stays as it is.
    showLocale(locale).catch(() => undefined);
  }, [locale]);
}
