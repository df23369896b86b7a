import { login, logout, signup, type TokenUser } from '@filestead/contract/sessions';
import { updateUser, type UserChange } from '@filestead/contract/users';
import { useSyncExternalStore } from 'react';
import { call } from '../../api/call.ts';
import { pageConfig } from '../../api/page-config.ts';
import { renewToken } from '../../api/signed-request.ts';
import { currentToken, keepToken, subscribeToToken } from '../../api/token-store.ts';
import { isNavigationBlocked } from '../../ui/navigation/block-navigation.ts';
import { isPageHeld } from '../../ui/navigation/hold-page.ts';
import { readToken } from './read-token.ts';

/** Whoever is signed in, as the token says, with changes that are on their way to the server. */
export type CurrentUser = TokenUser;

export interface Session {
  user: CurrentUser | null;
  /** The user signed out on purpose, so the way back to the page they left is not kept. */
  hasLeft: boolean;
  /** Why nobody is signed in any more, when it was not on purpose: the time was over, or it was ended elsewhere. */
  endedBy: 'inactivity' | 'elsewhere' | null;
  /**
   * The session of `user` has ended while the page holds unsaved changes or an open dialog: they stay in sight until the user signs in
   * again or gives them up.
   */
  isSuspended: boolean;
}

type OwnChange = Omit<UserChange, 'id'>;

let session: Session = { user: null, hasLeft: false, endedBy: null, isSuspended: false };
let readFrom: string | null = null;
let isWatching = false;
/** When the token that was read last ends, in Unix milliseconds. */
let endsAtMs = 0;
let endTimer: ReturnType<typeof setTimeout> | undefined;
/** What was changed here and is not in the token yet. */
let pending: Partial<CurrentUser> = {};
/** Changes are sent one after another: the last one made is the last one stored. */
let sending: Promise<unknown> = Promise.resolve();
const listeners = new Set<() => void>();

function show(next: Session): void {
  if (JSON.stringify(next) === JSON.stringify(session) && next.user === session.user) return;
  session = next;
  for (const listener of listeners) listener();
}

/** Follows the token, whoever changes it: a call that is refused, a renewal, another tab. */
function watchToken(): void {
  if (isWatching) return;
  isWatching = true;
  subscribeToToken(refresh);
}

/** Reads the token again; `force` also when it is still the same. */
function refresh(force = false): void {
  const token = currentToken();
  if (token === readFrom && !force) return;
  readFrom = token;
  const content = token === null ? null : readToken(token);
  const next = content && { ...content.user, ...pending };
  // A renewed token usually says the same: then nothing renders again.
  const user = isSame(next, session.user) ? session.user : next;
  const hasLeft = user === null && session.hasLeft;
  const isLost = user === null && session.user !== null && !hasLeft;
  if (isLost && (session.isSuspended || isNavigationBlocked() || isPageHeld())) {
    return show({ ...session, endedBy: session.endedBy ?? endOf(session), isSuspended: true });
  }
  show({ user, hasLeft, endedBy: user === null && !hasLeft ? endOf(session) : null, isSuspended: false });
  if (content) watchForEnd(content.expiresAtMs);
}

/** Why there is no token any more. */
function endOf({ user, endedBy }: Session): Session['endedBy'] {
  if (user === null) return endedBy;
  return endsAtMs <= Date.now() ? 'inactivity' : 'elsewhere';
}

/** The longest time that a browser's timer takes, in ms. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Signs out when the token ends. A token that seems to have ended when it comes is left to the server: then this
 * machine's clock is wrong.
 */
function watchForEnd(expiresAtMs: number): void {
  endsAtMs = expiresAtMs;
  clearTimeout(endTimer);
  const leftMs = expiresAtMs - Date.now();
  if (leftMs <= 0) return;
  endTimer = setTimeout(
    () => {
      if (endsAtMs > Date.now()) watchForEnd(endsAtMs);
      else if (currentToken() === readFrom) keepToken(null);
    },
    Math.min(leftMs, longestTimerMs),
  );
}

const isSame = (one: CurrentUser | null, other: CurrentUser | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Whether a stored token is worth trying. */
function isUsable(token: string, nowMs: number): boolean {
  const content = readToken(token);
  return content !== null && content.expiresAtMs > nowMs;
}

/**
 * Finds out who is signed in. A stored token that has not ended is shown at once and renewed beside; the server's
 * refusal signs out. Where there is no login page, signs in without credentials; throws `ApiError` when that fails.
 */
export async function startSession(nowMs = Date.now()): Promise<void> {
  watchToken();
  const token = currentToken();
  if (token !== null && !isUsable(token, nowMs)) {
    if (readToken(token)) session = { ...session, endedBy: 'inactivity' };
    keepToken(null);
  }
  if (!pageConfig.LoginPage && currentToken() === null) await signIn({ username: '', password: '' });
  refresh(true);
  // A failure to reach the server shows where it matters: in what the page asks for next.
  renewToken().catch(() => undefined);
}

/** What somebody types; `recaptcha` is the response of the captcha, where there is one. */
export interface Credentials {
  username: string;
  password: string;
  recaptcha?: string;
}

/** Makes an account. Throws `ApiError`, among others `username_taken`, `weak_password`, `captcha_failed`. */
export async function signUp({ username, password, recaptcha = '' }: Credentials): Promise<void> {
  await call(signup, { body: { username, password, recaptcha } });
}

/** Signs in. Throws `ApiError`, among others `wrong_credentials`, `captcha_failed`, `too_many_requests`. */
export async function signIn({ username, password, recaptcha = '' }: Credentials): Promise<void> {
  const token = await call(login, { body: { username, password, recaptcha } });
  pending = {};
  session = { ...session, hasLeft: false, endedBy: null };
  keepToken(token.trim());
  refresh();
}

/** Ends a suspended session: the changes are given up. */
export function endSuspended(): void {
  if (session.isSuspended) show({ ...session, user: null, isSuspended: false });
}

/** Signs out, here and on the server. Returns false when the server could not be told. */
export async function signOut(): Promise<boolean> {
  let isToldServer = true;
  try {
    await call(logout);
  } catch {
    isToldServer = currentToken() === null;
  }
  forgetSession();
  return isToldServer;
}

/** Signs out here alone: the server has ended the session because the user wanted it so. */
export function forgetSession(): void {
  pending = {};
  session = { ...session, hasLeft: true, endedBy: null, isSuspended: false };
  keepToken(null);
  refresh();
}

/**
 * Changes fields of the user's own record: shown at once, then stored. Throws `ApiError` and shows the old values again
 * when the server refuses.
 */
export async function updateOwnUser(change: OwnChange, currentPassword?: string): Promise<void> {
  const { user } = session;
  if (user === null) return;
  const { password: _password, scope: _scope, rules: _rules, ...visible } = change;
  const shown = Object.fromEntries(
    Object.entries(visible).filter(([, value]) => value !== undefined),
  ) as Partial<CurrentUser>;
  pending = { ...pending, ...shown };
  refresh(true);
  const before = sending;
  const mine = (async () => {
    await before.catch(() => undefined);
    await call(updateUser, {
      params: { id: String(user.id) },
      body: {
        what: 'user',
        which: Object.keys(change),
        data: { ...change, id: user.id },
        ...(currentPassword !== undefined && { current_password: currentPassword }),
      },
    });
    // The new token holds the new values; without it they stay pending until the next one.
    await renewToken().catch(() => undefined);
  })();
  sending = mine.catch(() => undefined);
  try {
    await mine;
    forget(shown, true);
  } catch (error) {
    forget(shown, false);
    throw error;
  }
}

/** Fetches the user's own record anew, after it was changed by other means than {@link updateOwnUser}. */
export async function refreshOwnUser(): Promise<void> {
  pending = {};
  await renewToken();
}

/** Stops showing `change` over what the token says: values that were refused, or that the token holds by now. */
function forget(change: Partial<CurrentUser>, isStored: boolean): void {
  const inToken = readToken(currentToken() ?? '')?.user;
  pending = Object.fromEntries(
    Object.entries(pending).filter(([name, value]) => {
      const key = name as keyof CurrentUser;
      // A later change of the same field is none of this one's business.
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

/** The user of a screen that only signed-in users see. Throws outside of one. */
export function useCurrentUser(): CurrentUser {
  const { user } = useSession();
  if (user === null) throw new Error('useCurrentUser needs a signed-in user');
  return user;
}
