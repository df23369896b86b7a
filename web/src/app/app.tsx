import { useEffect } from 'react';
import { pageConfig } from '../api/page-config.ts';
import { useSession } from '../features/sessions/session-store.ts';
import { showLocale } from '../i18n/i18n.ts';
import { lazyPart, useLazyPart } from '../ui/overlays/lazy-part.ts';
import { HistoryRouter } from '../ui/navigation/history-router.tsx';
import { ToastRegion } from '../ui/feedback/toast-region.tsx';
import { AppRoutes } from './routes/app-routes.tsx';
import { ErrorBoundary } from './frame/error-boundary.tsx';
import { ErrorPage, statusOfError } from './frame/error-screen.tsx';

/** Not needed by visitors nor on the login page. */
const uploadArea = lazyPart(() => import('./files/upload-area.tsx'));

/** The application: router, screens and notifications. Theme, language and session have been initialised before. */
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
      <UserUploads userId={user?.id ?? null} />
      <ToastRegion reportURL={pageConfig.ReportURL} />
    </HistoryRouter>
  );
}

/** The upload area of the signed-in user, present on every screen. Its state is not kept for another user. */
function UserUploads({ userId }: { userId: number | null }) {
  const part = useLazyPart(uploadArea, userId !== null, ignoreFailure);
  return userId === null || !part ? null : <part.UploadArea key={userId} userId={userId} />;
}

/** The user has already been notified that a part could not be loaded. */
function ignoreFailure(): void {}

/** Applies the language of the signed-in user, also after a change in another tab. */
function useUserLocale(locale: string): void {
  useEffect(() => {
    // If the texts cannot be fetched, the page stays as it is.
    showLocale(locale).catch(() => undefined);
  }, [locale]);
}
