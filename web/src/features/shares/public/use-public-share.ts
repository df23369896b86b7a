import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useCallback, useEffect, useState } from 'react';
import { ApiError, isApiError } from '../../../api/call.ts';
import { openPublic, type PublicEntry } from './open-public.ts';
import { storeShareToken, storedShareToken } from '../share-tokens.ts';

/** The states of a public page (docs/reference/behaviour.md §4). */
export type PublicState =
  | { readonly kind: 'loading' }
  | {
      readonly kind: 'locked';
      /** The error of the last attempt; null before the first one. */
      readonly refusal: ApiError | null;
      readonly isPending: boolean;
    }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'shown'; readonly entry: PublicEntry };

interface Attempt {
  readonly hash: string;
  readonly path: VirtualPath;
  /** Incremented with every attempt. */
  readonly number: number;
  readonly password?: string | undefined;
}

const loading: PublicState = { kind: 'loading' };

/** Opens the entry at `path` of a share, and asks for its password if it has one. */
export function usePublicShare(hash: string, path: VirtualPath) {
  const [attempt, setAttempt] = useState<Attempt>({ hash, path, number: 0 });
  const [loaded, setLoaded] = useState<{ attempt: Attempt; state: PublicState } | null>(null);
  if (attempt.hash !== hash || attempt.path !== path) {
    setAttempt({ hash, path, number: attempt.number + 1 });
  }
  useEffect(() => {
    const controller = new AbortController();
    void tryToOpen(attempt, controller.signal).then((state) => {
      if (!controller.signal.aborted) setLoaded({ attempt, state });
      return undefined;
    });
    return () => controller.abort();
  }, [attempt]);

  const unlock = useCallback((password: string) => {
    setAttempt((before) => ({ ...before, number: before.number + 1, password }));
  }, []);
  const retry = useCallback(() => {
    setAttempt(({ hash, path, number }) => ({ hash, path, number: number + 1 }));
  }, []);
  return { state: stateOf(attempt, loaded), unlock, retry };
}

/** Runs one attempt and stores the token of its response. */
async function tryToOpen(attempt: Attempt, signal: AbortSignal): Promise<PublicState> {
  const { hash, password } = attempt;
  try {
    const token = password === undefined ? storedShareToken(hash) : undefined;
    const entry = await openPublic(attempt, { password, token }, signal);
    storeShareToken(hash, entry.token);
    return { kind: 'shown', entry };
  } catch (error) {
    const isRefused = isApiError(error, 'password_required');
    if (isRefused) storeShareToken(hash, undefined);
    if (isRefused && password === undefined) return { kind: 'locked', refusal: null, isPending: false };
    if (password !== undefined && error instanceof ApiError && (isRefused || isTemporary(error))) {
      return { kind: 'locked', refusal: error, isPending: false };
    }
    return { kind: 'failed', error };
  }
}

/** Whether an error is temporary, so that the typed password may still be right: no response, or too many requests. */
const isTemporary = ({ status }: ApiError): boolean => status === 0 || status === 429;

function stateOf(attempt: Attempt, loaded: { attempt: Attempt; state: PublicState } | null): PublicState {
  if (loaded?.attempt === attempt) return loaded.state;
  // The form stays while a password is being checked.
  const isTrying = attempt.password !== undefined && loaded?.state.kind === 'locked';
  return isTrying ? { kind: 'locked', refusal: null, isPending: true } : loading;
}
