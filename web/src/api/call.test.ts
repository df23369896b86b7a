import { deleteResource, getResource, getUsage, moveResource } from '@filestead/contract/files';
import { login } from '@filestead/contract/sessions';
import { updateUser } from '@filestead/contract/users';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError, call, send, urlOf } from './call.ts';
import { jsonResponse, problemResponse } from './test-responses.ts';
import { currentToken, storeToken } from './token-store.ts';

const fetched = vi.fn<typeof fetch>();

/** The requests sent so far, as `METHOD url token`. */
const requests = (): string[] =>
  fetched.mock.calls.map(([url, init]) => {
    const token = new Headers(init?.headers).get('X-Auth') ?? '-';
    return `${init?.method} ${String(url)} ${token}`;
  });

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
  storeToken('old.token.a');
});
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

const usage = { total: 10, used: 1 };
const text = (body: string, init?: ResponseInit) => new Response(body, init);

describe('urlOf', () => {
  test.each([
    ['of a path, encoded segment by segment', '/a b/ü#?.txt', false, '/api/resources/a%20b/%C3%BC%23%3F.txt'],
    ['of a folder, with a trailing slash', '/a', true, '/api/resources/a/'],
    ['of the root, with one slash', '/', true, '/api/resources/'],
  ])('builds the address %s', (_name, path, isFolder, address) => {
    expect(urlOf(getResource, { path: virtualPath(path), isFolder })).toBe(address);
  });

  test('omits undefined query parameters', () => {
    expect(
      urlOf(moveResource, {
        path: virtualPath('/a'),
        query: { action: 'rename', destination: '%2Fb', override: undefined },
      }),
    ).toBe('/api/resources/a?action=rename&destination=%252Fb');
  });

  test('inserts the path parameters', () => {
    expect(urlOf(updateUser, { params: { id: '7' } })).toBe('/api/users/7');
  });
});

describe('responses of call', () => {
  test('returns JSON as a value and text unchanged', async () => {
    fetched.mockResolvedValueOnce(jsonResponse(usage)).mockResolvedValueOnce(text('200 OK\n'));
    expect(await call(getUsage)).toEqual(usage);
    expect(await call(deleteResource, { path: virtualPath('/a') })).toBe('200 OK\n');
  });

  test('sends the token in the header, never in the address, and not to open endpoints', async () => {
    fetched.mockResolvedValueOnce(jsonResponse(usage)).mockResolvedValueOnce(text('new.token.b'));
    await call(getUsage);
    await call(login, { body: { username: 'ada', password: 'secret' } });
    expect(requests()).toEqual(['GET /api/usage/ old.token.a', 'POST /api/login -']);
    expect(fetched.mock.calls[1]?.[1]?.body).toBe('{"username":"ada","password":"secret"}');
  });

  test('turns problem details into an error with their code and the retry delay', async () => {
    fetched.mockResolvedValueOnce(problemResponse(429, 'too_many_requests', { 'Retry-After': '30' }));
    await expect(call(getUsage)).rejects.toMatchObject({
      status: 429,
      code: 'too_many_requests',
      retryAfterSeconds: 30,
    });
  });

  test.each([
    [404, '404 Not Found\n', 'not_found'],
    [502, '<html>Bad gateway</html>', 'internal_error'],
    [409, '{"code":"made_up"}', 'already_exists'],
  ])('derives the code from status %i if the response has none of ours', async (status, body, code) => {
    fetched.mockResolvedValueOnce(text(body, { status }));
    await expect(call(getUsage)).rejects.toMatchObject({ status, code });
  });

  test('throws an error for a page of a proxy in place of JSON', async () => {
    fetched.mockResolvedValueOnce(text('<html>Sign in to the guest network</html>'));
    await expect(call(getUsage)).rejects.toMatchObject({ code: 'internal_error' });
  });

  test('throws no_connection with status 0 if there is no response', async () => {
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await expect(call(getUsage)).rejects.toMatchObject({ status: 0, code: 'no_connection' });
  });

  test('throws an AbortError after an abort', async () => {
    const stop = new AbortController();
    fetched.mockImplementationOnce(
      (_url, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        }),
    );
    const pending = call(getUsage, { signal: stop.signal });
    stop.abort();
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
    await expect(pending).rejects.not.toBeInstanceOf(ApiError);
  });

  test('gives access to the response headers', async () => {
    fetched.mockResolvedValueOnce(text('200 OK\n', { headers: { 'X-Final-Path': '/b' } }));
    const response = await send(moveResource, {
      path: virtualPath('/a'),
      query: { action: 'rename', destination: '/b' },
    });
    expect(response.headers.get('X-Final-Path')).toBe('/b');
  });
});

describe('token renewal', () => {
  const renewResponse = () => jsonResponse(usage, { headers: { 'X-Renew-Token': 'true' } });

  test('renews the token once, however many responses request it', async () => {
    let finishRenewal: (response: Response) => void = () => undefined;
    fetched.mockImplementation((url) =>
      String(url) === '/api/renew'
        ? new Promise((resolve) => {
            finishRenewal = resolve;
          })
        : Promise.resolve(renewResponse()),
    );
    await Promise.all([call(getUsage), call(getUsage), call(getUsage)]);
    await call(getUsage);
    finishRenewal(text('new.token.b\n'));
    await vi.waitFor(() => expect(currentToken()).toBe('new.token.b'));
    expect(requests().filter((request) => request.includes('/api/renew'))).toEqual([
      'POST /api/renew old.token.a',
    ]);
  });

  test('ignores the renew header of a request that was signed before the renewal', async () => {
    fetched.mockImplementationOnce(async () => {
      storeToken('new.token.b');
      return renewResponse();
    });
    await call(getUsage);
    await Promise.resolve();
    expect(requests()).toEqual(['GET /api/usage/ old.token.a']);
  });

  test('signs the user out if the renewal is refused', async () => {
    fetched.mockResolvedValueOnce(problemResponse(401, 'not_signed_in'));
    await expect(call(getUsage)).rejects.toMatchObject({ status: 401 });
    expect(currentToken()).toBeNull();
  });

  test('repeats the call with the new token if it was renewed meanwhile', async () => {
    fetched.mockImplementationOnce(async () => {
      localStorage.setItem('jwt', 'other.tab.token');
      return problemResponse(401, 'not_signed_in');
    });
    fetched.mockResolvedValueOnce(jsonResponse(usage));
    expect(await call(getUsage)).toEqual(usage);
    expect(requests()).toEqual(['GET /api/usage/ old.token.a', 'GET /api/usage/ other.tab.token']);
    expect(currentToken()).toBe('other.tab.token');
  });

  test('does not sign out after a 401 of an open endpoint', async () => {
    fetched.mockResolvedValueOnce(problemResponse(401, 'not_signed_in'));
    await expect(call(login, { body: {} })).rejects.toMatchObject({ status: 401 });
    expect(currentToken()).toBe('old.token.a');
  });

  test('keeps the token if the renewal cannot reach the server', async () => {
    fetched.mockResolvedValueOnce(renewResponse()).mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await call(getUsage);
    await vi.waitFor(() => expect(requests()).toHaveLength(2));
    expect(currentToken()).toBe('old.token.a');
  });
});
