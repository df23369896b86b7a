import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { jsonResponse, problemResponse } from '../../api/test-responses.ts';
import { sendSigned } from '../../api/signed-request.ts';
import { currentToken, storeToken } from '../../api/token-store.ts';
import { currentToasts, showToast } from '../../ui/feedback/toast.ts';
import {
  currentSession,
  endSessionBy,
  forgetSession,
  signIn,
  signOut,
  startSession,
  updateOwnUser,
} from './session-store.ts';
import { ada, tokenOf } from './test-token.ts';

const fetched = vi.fn<typeof fetch>();
const requested = (): string[] => fetched.mock.calls.map(([url, init]) => `${init?.method} ${String(url)}`);
const user = () => currentSession().user;

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => {
  storeToken(null);
  vi.unstubAllGlobals();
});

describe('at startup', () => {
  test('shows the user of a stored token at once and renews it in the background', async () => {
    storeToken(tokenOf(ada));
    const renewed = tokenOf({ ...ada, viewMode: 'mosaic' });
    fetched.mockResolvedValueOnce(new Response(renewed));
    await startSession();
    expect(user()).toEqual(ada);
    await vi.waitFor(() => expect(user()?.viewMode).toBe('mosaic'));
    expect(requested()).toEqual(['POST /api/renew']);
    expect(currentToken()).toBe(renewed);
  });

  test('drops an expired token without a request', async () => {
    storeToken(tokenOf(ada, Date.now() - 1000));
    await startSession();
    expect(currentSession()).toMatchObject({ user: null, hasSignedOut: false, endedBy: 'inactivity' });
    expect(requested()).toEqual([]);
    expect(currentToken()).toBeNull();
  });

  test('signs out if the server refuses the token', async () => {
    storeToken(tokenOf(ada));
    fetched.mockResolvedValueOnce(problemResponse(401, 'not_signed_in'));
    await startSession();
    await vi.waitFor(() => expect(user()).toBeNull());
    expect(currentToken()).toBeNull();
  });

  test('keeps the user signed in without a connection', async () => {
    storeToken(tokenOf(ada));
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await startSession();
    await vi.waitFor(() => expect(requested()).toHaveLength(1));
    expect(user()).toEqual(ada);
  });
});

describe('after signing in', () => {
  beforeEach(async () => {
    await startSession();
    fetched.mockResolvedValueOnce(new Response(`${tokenOf(ada)}\n`));
    await signIn({ username: 'ada', password: 'secret' });
    fetched.mockClear();
  });

  test('stores the token of the login', () => {
    expect(user()).toEqual(ada);
    expect(currentToken()).toBe(tokenOf(ada));
  });

  test('ends the session on the server and removes the token when signing out', async () => {
    fetched.mockResolvedValueOnce(new Response('200 OK\n'));
    expect(await signOut()).toBe(true);
    expect(requested()).toEqual(['POST /api/logout']);
    expect(currentSession()).toMatchObject({ user: null, hasSignedOut: true, endedBy: null });
    expect(currentToken()).toBeNull();
  });

  test('sends no request that begins while the user signs out', async () => {
    const response = new Promise<Response>((resolve) => setTimeout(resolve, 0, new Response('200 OK\n')));
    fetched.mockReturnValueOnce(response);
    const ending = signOut();
    const late = sendSigned('/api/marks', {});
    expect(await ending).toBe(true);
    await expect(late).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    expect(requested()).toEqual(['POST /api/logout']);
  });

  test('closes the messages of the user when signing out', async () => {
    fetched.mockResolvedValueOnce(new Response('200 OK\n'));
    showToast({ tone: 'error', message: '“secret.txt” could not be moved.' });
    await signOut();
    expect(currentToasts()).toEqual([]);
  });

  test('aborts requests that read when the user signs out, but none that changes something', async () => {
    const signals = new Map<string, AbortSignal | null | undefined>();
    fetched.mockImplementation((url, init) => {
      if (url === '/api/logout') return Promise.resolve(new Response('200 OK\n'));
      signals.set(String(url), init?.signal);
      return new Promise((_, reject) =>
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      );
    });
    const reading = sendSigned('/api/marks', {});
    void sendSigned('/api/changes', { method: 'POST' });
    const ending = signOut();
    await expect(reading).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    expect(signals.get('/api/changes')?.aborted).not.toBe(true);
    expect(await ending).toBe(true);
  });

  test('signs out as on purpose if another request is refused while the user ends the session', async () => {
    let finish = (): void => undefined;
    const deletion = new Promise<void>((resolve) => (finish = resolve));
    const ending = endSessionBy(() => deletion);
    storeToken(null);
    expect(currentSession()).toMatchObject({ user: null, hasSignedOut: true, endedBy: null });
    finish();
    await ending;
    forgetSession();
    expect(currentSession()).toMatchObject({ user: null, hasSignedOut: true, endedBy: null });
  });

  test('keeps the session if the action that was to end it fails', async () => {
    await expect(endSessionBy(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(user()).toEqual(ada);
    storeToken(null);
    expect(currentSession()).toMatchObject({ hasSignedOut: false, endedBy: 'elsewhere' });
  });

  test('reports that the server could not be reached when signing out', async () => {
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    expect(await signOut()).toBe(false);
    expect(currentToken()).toBeNull();
  });

  test('signs out after signing out in another tab', () => {
    localStorage.removeItem('jwt');
    window.dispatchEvent(new StorageEvent('storage', { key: 'jwt', newValue: null }));
    expect(user()).toBeNull();
  });

  test('shows a change at once, stores it with its field names, and finds it in the next token', async () => {
    const renewed = tokenOf({ ...ada, viewMode: 'mosaic' });
    fetched.mockResolvedValueOnce(new Response('200 OK\n')).mockResolvedValueOnce(new Response(renewed));
    const storing = updateOwnUser({ viewMode: 'mosaic' });
    expect(user()?.viewMode).toBe('mosaic');
    await storing;
    expect(requested()).toEqual(['PUT /api/users/7', 'POST /api/renew']);
    expect(JSON.parse(String(fetched.mock.calls[0]?.[1]?.body))).toEqual({
      what: 'user',
      which: ['viewMode'],
      data: { viewMode: 'mosaic', id: 7 },
    });
    expect(user()?.viewMode).toBe('mosaic');
  });

  test('reverts a refused change', async () => {
    fetched.mockResolvedValueOnce(problemResponse(403, 'forbidden'));
    const storing = updateOwnUser({ viewMode: 'mosaic' });
    await expect(storing).rejects.toMatchObject({ code: 'forbidden' });
    expect(user()?.viewMode).toBe('list');
  });

  test('keeps a stored change if no new token arrives', async () => {
    fetched
      .mockResolvedValueOnce(new Response('200 OK\n'))
      .mockResolvedValueOnce(jsonResponse({}, { status: 500 }));
    await updateOwnUser({ sorting: { by: 'size', asc: true } });
    expect(user()?.sorting).toEqual({ by: 'size', asc: true });
  });

  test('stores changes in the order in which they were made', async () => {
    const stored: unknown[] = [];
    let respond: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (respond = resolve));
    fetched.mockImplementation(async (url, init) => {
      if (String(url).startsWith('/api/users')) stored.push(JSON.parse(String(init?.body)).data);
      await released;
      return String(url) === '/api/renew' ? jsonResponse({}, { status: 500 }) : new Response('200 OK\n');
    });
    const storing = Promise.all([
      updateOwnUser({ viewMode: 'mosaic' }),
      updateOwnUser({ viewMode: 'mosaic gallery' }),
      updateOwnUser({ singleClick: true }),
    ]);
    await vi.waitFor(() => expect(stored).toHaveLength(1));
    respond();
    await storing;
    expect(stored).toEqual([
      { viewMode: 'mosaic', id: 7 },
      { viewMode: 'mosaic gallery', id: 7 },
      { singleClick: true, id: 7 },
    ]);
    expect(user()).toMatchObject({ viewMode: 'mosaic gallery', singleClick: true });
  });
});
