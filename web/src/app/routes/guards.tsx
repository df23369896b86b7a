import { lazy, Suspense, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { Navigate, useLocation, useSearchParams } from '../../ui/navigation/router.tsx';
import { safeRedirect } from '../../features/sessions/safe-redirect.ts';
import { isNavigationBlocked } from '../../ui/navigation/block-navigation.ts';
import { isPageHeld, subscribeToPageHold } from '../../ui/navigation/hold-page.ts';
import { endSuspended, signIn, useSession, type Session } from '../../features/sessions/session-store.ts';
import { pageConfig } from '../../api/page-config.ts';
import { ErrorPage, statusOfError } from '../frame/error-screen.tsx';
import { storePlace, ToStart } from './start-address.tsx';

const SignInAgain = lazy(async () => ({
  default: (await import('../../features/sessions/sign-in-again.tsx')).SignInAgain,
}));

/** Guards the screens of signed-in users. Visitors go to the login page, which returns them here. */
export function RequireUser({ children }: { children: ReactNode }) {
  const { user, hasSignedOut, endedBy, isSuspended } = useSession();
  const { pathname, search, hash } = useLocation();
  const target = `${pathname}${search}${hash}`;
  useEffect(() => {
    if (user !== null) storePlace(user, target);
  }, [user, target]);
  // Another user has other files, so no state of the screen is kept.
  if (user !== null) {
    return (
      <KeyedByUser key={user.id}>
        {children}
        {isSuspended && <SuspendedSession username={user.username} />}
      </KeyedByUser>
    );
  }
  return <Navigate to={hasSignedOut ? '/login' : loginAddress(target, endedBy)} replace />;
}

/** Returns the address of the login page, with the reason and the address to return to; `/` is that of the start page. */
function loginAddress(target: string, endedBy: Session['endedBy']): string {
  const parameters = new URLSearchParams(target === '/' ? undefined : { redirect: target });
  if (endedBy !== null) parameters.set('logout-reason', endedBy === 'inactivity' ? 'inactivity' : 'ended');
  return parameters.size === 0 ? '/login' : `/login?${parameters.toString()}`;
}

/** Offers to sign in again while there are unsaved changes or an open dialog; after that, goes to the login page. */
function SuspendedSession({ username }: { username: string }) {
  const location = useLocation();
  const [closedAt, setClosedAt] = useState<typeof location | null>(null);
  const isHeld = useSyncExternalStore(subscribeToPageHold, isPageHeld);
  useEffect(() => {
    if (!isHeld && !isNavigationBlocked()) endSuspended();
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

/** Guards the screens of administrators, within {@link RequireUser}. Others see that access is denied. */
export function RequireAdministrator({ children }: { children: ReactNode }) {
  const { user } = useSession();
  return user?.perm.admin ? children : <Navigate to="/403" replace />;
}

/** The login page. Redirects a signed-in user to the address in the `redirect` parameter, otherwise to the start page. */
export function RequireVisitor({ children }: { children: ReactNode }) {
  const { user, hasSignedOut } = useSession();
  const [parameters] = useSearchParams();
  if (user === null) {
    if (pageConfig.LoginPage) return children;
    // After signing out on purpose the browser is about to open the logout page.
    return hasSignedOut ? null : <SignInWithoutPage />;
  }
  const redirect = parameters.get('redirect');
  return redirect === null ? <ToStart /> : <Navigate to={safeRedirect(redirect)} replace />;
}

/** Starts a new session where signing in needs no input. */
function SignInWithoutPage() {
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    signIn({ username: '', password: '' }).catch(setFailure);
  }, []);
  return failure === null ? null : <ErrorPage status={statusOfError(failure)} needsReload />;
}
