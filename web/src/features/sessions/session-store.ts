import { login, logout, signup, type TokenUser } from '@filestead/contract/sessions';
import type { UserChange } from '@filestead/contract/users';
import { useSyncExternalStore } from 'react';
import { call } from '../../api/call.ts';
import { changeUser } from '../../api/change-user.ts';
import { pageConfig } from '../../api/page-config.ts';
import { holdRequests, renewToken } from '../../api/signed-request.ts';
import { currentToken, storeToken, subscribeToToken } from '../../api/token-store.ts';
import { closeAllToasts } from '../../ui/feedback/toast.ts';
import { isNavigationBlocked } from '../../ui/navigation/block-navigation.ts';
import { isPageHeld } from '../../ui/navigation/hold-page.ts';
import { readToken } from './read-token.ts';

/** The signed-in user according to the token, with changes that are being sent to the server. */
export type CurrentUser = TokenUser;

export interface Session {
  user: CurrentUser | null;
  /** The user signed out on purpose, so the address of the page they left is not kept. */
  hasSignedOut: boolean;
  /** The reason why the session ended, if not on purpose: it expired, or it was ended elsewhere. */
  endedBy: 'inactivity' | 'elsewhere' | null;
  /**
   * The session of `user` has ended while the page contains unsaved changes or an open dialog: they stay visible until
   * the user signs in again or discards them.
   */
  isSuspended: boolean;
}

type ProfileChange = Omit<UserChange, 'id'>;

/** The session of a page before anybody has signed in. */
const noSession: Session = { user: null, hasSignedOut: false, endedBy: null, isSuspended: false };

let session = noSession;
let lastToken: string | null = null;
let isWatching = false;
/** Whether the user is ending the session, so that the server may already refuse other requests. */
let isEnding = false;
/** The expiry of the last token, in Unix milliseconds. */
let tokenExpiresAtMs = 0;
let endTimer: ReturnType<typeof setTimeout> | undefined;
/** Local changes that the token does not contain yet. */
let pending: Partial<CurrentUser> = {};
/** Changes are sent one after another, so that the last one made is the last one stored. */
let lastRequest: Promise<unknown> = Promise.resolve();
const listeners = new Set<() => void>();

function setSession(next: Session): void {
  if (JSON.stringify(next) === JSON.stringify(session) && next.user === session.user) return;
  // Messages name files, which whoever signs in next must not read.
  if (next.user?.id !== session.user?.id) closeAllToasts();
  session = next;
  for (const listener of listeners) listener();
}

/** Follows changes of the token by a refused call, a renewal, or another tab. */
function watchToken(): void {
  if (isWatching) return;
  isWatching = true;
  subscribeToToken(refresh);
}

/** Reads the token again; with `force` even if it is the same. */
function refresh(force = false): void {
  const token = currentToken();
  if (token === lastToken && !force) return;
  lastToken = token;
  const content = token === null ? null : readToken(token);
  const next = content && { ...content.user, ...pending };
  // A renewed token usually contains the same user: then nothing renders again.
  const user = isSame(next, session.user) ? session.user : next;
  const hasSignedOut = user === null && (session.hasSignedOut || isEnding);
  const hasEnded = user === null && session.user !== null && !hasSignedOut;
  if (hasEnded && (session.isSuspended || isNavigationBlocked() || isPageHeld())) {
    return setSession({ ...session, endedBy: session.endedBy ?? endReason(session), isSuspended: true });
  }
  setSession({
    user,
    hasSignedOut,
    endedBy: user === null && !hasSignedOut ? endReason(session) : null,
    isSuspended: false,
  });
  if (content) scheduleSignOut(content.expiresAtMs);
}

/** Returns why the token is gone. */
function endReason({ user, endedBy }: Session): Session['endedBy'] {
  if (user === null) return endedBy;
  return tokenExpiresAtMs <= Date.now() ? 'inactivity' : 'elsewhere';
}

/** The maximum delay of a browser's timer, in ms. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Signs out when the token expires. A token that appears to be expired when it arrives is left to the server: then the
 * clock of this machine is wrong.
 */
function scheduleSignOut(expiresAtMs: number): void {
  tokenExpiresAtMs = expiresAtMs;
  clearTimeout(endTimer);
  const remainingMs = expiresAtMs - Date.now();
  if (remainingMs <= 0) return;
  endTimer = setTimeout(
    () => {
      if (tokenExpiresAtMs > Date.now()) scheduleSignOut(tokenExpiresAtMs);
      else if (currentToken() === lastToken) storeToken(null);
    },
    Math.min(remainingMs, longestTimerMs),
  );
}

const isSame = (one: CurrentUser | null, other: CurrentUser | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Whether a stored token has not expired and can be tried. */
function isUsable(token: string, nowMs: number): boolean {
  const content = readToken(token);
  return content !== null && content.expiresAtMs > nowMs;
}

/**
 * Determines the signed-in user. The user of a stored token that has not expired is shown at once while the token is
 * renewed; a refusal by the server signs out. Without a login page, signs in without credentials; throws `ApiError` if
 * that fails.
 */
export async function startSession(nowMs = Date.now()): Promise<void> {
  watchToken();
  session = noSession;
  pending = {};
  const token = currentToken();
  if (token !== null && !isUsable(token, nowMs)) {
    if (readToken(token)) session = { ...session, endedBy: 'inactivity' };
    storeToken(null);
  }
  if (!pageConfig.LoginPage && currentToken() === null) await signIn({ username: '', password: '' });
  refresh(true);
  // A connection failure is reported by the next request of the page.
  renewToken().catch(() => undefined);
}

/** The input of the login form; `recaptcha` is the response of the captcha, if there is one. */
export interface Credentials {
  username: string;
  password: string;
  recaptcha?: string;
}

/** Creates an account. Throws `ApiError`, among others `username_taken`, `weak_password`, `captcha_failed`. */
export async function signUp({ username, password, recaptcha = '' }: Credentials): Promise<void> {
  await call(signup, { body: { username, password, recaptcha } });
}

/** Signs in. Throws `ApiError`, among others `wrong_credentials`, `captcha_failed`, `too_many_requests`. */
export async function signIn({ username, password, recaptcha = '' }: Credentials): Promise<void> {
  const token = await call(login, { body: { username, password, recaptcha } });
  pending = {};
  session = { ...session, hasSignedOut: false, endedBy: null };
  storeToken(token.trim());
  refresh();
}

/** Ends a suspended session: its unsaved changes are discarded. */
export function endSuspended(): void {
  if (session.isSuspended) setSession({ ...session, user: null, isSuspended: false });
}

/** Signs out, here and on the server. Returns false if the server could not be reached. */
export function signOut(): Promise<boolean> {
  const ended = endSessionBy(() => call(logout)).then(
    () => true,
    () => currentToken() === null,
  );
  const signedOut = ended.then((isServerNotified) => {
    forgetSession();
    return isServerNotified;
  });
  holdRequests(signedOut);
  return signedOut;
}

/**
 * Performs an action that ends the session on the server, such as deleting one’s own account. Requests that are refused
 * meanwhile sign out as on purpose. Call {@link forgetSession} afterwards. Throws the errors of the action.
 */
export async function endSessionBy(action: () => Promise<unknown>): Promise<void> {
  isEnding = true;
  try {
    await action();
  } finally {
    isEnding = false;
  }
}

/** Signs out here only, after the server has ended the session on the user's request. */
export function forgetSession(): void {
  pending = {};
  session = { ...session, hasSignedOut: true, endedBy: null, isSuspended: false };
  storeToken(null);
  refresh();
}

/**
 * Changes fields of the user's own record: shown at once, then stored. Throws `ApiError` and reverts the values if the
 * server refuses.
 */
export async function updateOwnUser(change: ProfileChange, currentPassword?: string): Promise<void> {
  const { user } = session;
  if (user === null) return;
  const { password: _password, scope: _scope, rules: _rules, ...visible } = change;
  const shown = Object.fromEntries(
    Object.entries(visible).filter(([, value]) => value !== undefined),
  ) as Partial<CurrentUser>;
  pending = { ...pending, ...shown };
  refresh(true);
  const previousRequest = lastRequest;
  const request = (async () => {
    await previousRequest.catch(() => undefined);
    await changeUser(user.id, change, currentPassword);
    // The new token contains the new values; without it they stay pending until the next one.
    await renewToken().catch(() => undefined);
  })();
  lastRequest = request.catch(() => undefined);
  try {
    await request;
    removePending(shown, true);
  } catch (error) {
    removePending(shown, false);
    throw error;
  }
}

/** Fetches the user's own record again, after it was changed by other means than {@link updateOwnUser}. */
export async function refreshOwnUser(): Promise<void> {
  pending = {};
  await renewToken();
}

/** Removes `change` from the pending values, because they were refused or the token contains them. */
function removePending(change: Partial<CurrentUser>, isStored: boolean): void {
  const inToken = readToken(currentToken() ?? '')?.user;
  pending = Object.fromEntries(
    Object.entries(pending).filter(([name, value]) => {
      const key = name as keyof CurrentUser;
      // A later change of the same field remains pending.
      if (change[key] !== value) return true;
      return isStored && JSON.stringify(inToken?.[key]) !== JSON.stringify(value);
    }),
  );
  refresh(true);
}

export function currentSession(): Session {
  return session;
}

function subscribe(listener: () => void): () => void {
  watchToken();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSession(): Session {
  return useSyncExternalStore(subscribe, currentSession);
}

/** Returns the user of a screen that only signed-in users see. Throws if nobody is signed in. */
export function useCurrentUser(): CurrentUser {
  const { user } = useSession();
  if (user === null) throw new Error('useCurrentUser needs a signed-in user');
  return user;
}
