import { lazy, Suspense, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router';
import { safeRedirect } from '../../features/sessions/safe-redirect.ts';
import { isNavigationBlocked } from '../../ui/navigation/block-navigation.ts';
import { isPageHeld, subscribeToPageHold } from '../../ui/navigation/hold-page.ts';
import { endSuspended, signIn, useSession, type Session } from '../../features/sessions/session-store.ts';
import { pageConfig } from '../../api/page-config.ts';
import { ErrorPage, statusOfError } from '../frame/error-screen.tsx';

const SignInAgain = lazy(async () => ({
  default: (await import('../../features/sessions/sign-in-again.tsx')).SignInAgain,
}));

/** Screens of signed-in users. Others go to the login page, which brings them back here. */
export function RequireUser({ children }: { children: ReactNode }) {
  const { user, hasLeft, endedBy, isSuspended } = useSession();
  const { pathname, search, hash } = useLocation();
  // Another user has other files: nothing of the screen is kept.
  if (user !== null) {
    return (
      <KeyedByUser key={user.id}>
        {children}
        {isSuspended && <SuspendedSession username={user.username} />}
      </KeyedByUser>
    );
  }
  const target = `${pathname}${search}${hash}`;
  return <Navigate to={hasLeft ? '/login' : loginAddress(target, endedBy)} replace />;
}

/** The login page, with the way back and the reason why one is there. */
function loginAddress(target: string, endedBy: Session['endedBy']): string {
  const parameters = new URLSearchParams({ redirect: target });
  if (endedBy !== null) parameters.set('logout-reason', endedBy === 'inactivity' ? 'inactivity' : 'ended');
  return `/login?${parameters.toString()}`;
}

/** Offers to sign in again where changes wait to be saved or a dialog is open; once they are gone, so is the page. */
function SuspendedSession({ username }: { username: string }) {
  const location = useLocation();
  const [closedAt, setClosedAt] = useState<typeof location | null>(null);
  const isKept = useSyncExternalStore(subscribeToPageHold, isPageHeld);
  useEffect(() => {
    if (!isKept && !isNavigationBlocked()) endSuspended();
  });
  return (
    <Suspense fallback={null}>
      <SignInAgain username={username} isOpen={closedAt !== location} onClose={() => setClosedAt(location)} />
    </Suspense>
  );
}

function KeyedByUser({ children }: { children: ReactNode }) {
  return children;
}

/** Screens of administrators, within {@link RequireUser}. Others are told that they may not see it. */
export function RequireAdministrator({ children }: { children: ReactNode }) {
  const { user } = useSession();
  return user?.perm.admin ? children : <Navigate to="/403" replace />;
}

/** The login page. Whoever is signed in goes where the `redirect` parameter says. */
export function RequireVisitor({ children }: { children: ReactNode }) {
  const { user, hasLeft } = useSession();
  const [parameters] = useSearchParams();
  if (user === null) {
    if (pageConfig.LoginPage) return children;
    // Whoever signed out on purpose is on the way to the page for that.
    return hasLeft ? null : <SignInWithoutPage />;
  }
  return <Navigate to={safeRedirect(parameters.get('redirect'))} replace />;
}

/** Where nobody types anything to sign in, a session that has ended is begun again by itself. */
function SignInWithoutPage() {
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    signIn({ username: '', password: '' }).catch(setFailure);
  }, []);
  return failure === null ? null : <ErrorPage status={statusOfError(failure)} needsReload />;
}
