import type { ReactNode } from 'react';
import { Navigate, useLocation, useSearchParams } from 'react-router';
import { safeRedirect } from '../features/sessions/safe-redirect.ts';
import { useSession } from '../features/sessions/session-store.ts';

/** Screens of signed-in users. Others go to the login page, which brings them back here. */
export function RequireUser({ children }: { children: ReactNode }) {
  const { user, hasLeft } = useSession();
  const { pathname, search, hash } = useLocation();
  // Another user has other files: nothing of the screen is kept.
  if (user !== null) return <KeyedByUser key={user.id}>{children}</KeyedByUser>;
  const target = `${pathname}${search}${hash}`;
  return (
    <Navigate
      to={hasLeft ? '/login' : `/login?${new URLSearchParams({ redirect: target }).toString()}`}
      replace
    />
  );
}

function KeyedByUser({ children }: { children: ReactNode }) {
  return children;
}

/** The login page. Whoever is signed in goes where the `redirect` parameter says. */
export function RequireVisitor({ children }: { children: ReactNode }) {
  const { user } = useSession();
  const [parameters] = useSearchParams();
  if (user === null) return children;
  return <Navigate to={safeRedirect(parameters.get('redirect'))} replace />;
}
