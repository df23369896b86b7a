import { useEffect, useRef, useState } from 'react';
import { i18n } from '../../i18n/i18n.ts';
import { showToast } from '../feedback/toast.ts';

/** A module that is fetched when it is first needed, and at hand without waiting from then on. */
export interface LazyPart<T> {
  /** Fetches the module once. After a failure the next call tries again. */
  load(): Promise<T>;
  /** The module, or null while it is not there. */
  peek(): T | null;
}

/** A part that `fetchModule` brings. */
export function lazyPart<T>(fetchModule: () => Promise<T>): LazyPart<T> {
  let loaded: T | null = null;
  let pending: Promise<T> | null = null;
  async function fetchOnce(): Promise<T> {
    try {
      loaded = await fetchModule();
      return loaded;
    } finally {
      pending = null;
    }
  }
  return {
    load: () => (loaded === null ? (pending ??= fetchOnce()) : Promise.resolve(loaded)),
    peek: () => loaded,
  };
}

/**
 * The module once it is wanted and there, else null. When it cannot be fetched (the server was updated or is away) the
 * user reads so, and `onFailed` lets the owner forget that it was wanted.
 */
export function useLazyPart<T>(part: LazyPart<T>, isWanted: boolean, onFailed: () => void): T | null {
  const [, renderAgain] = useState(0);
  const failed = useRef(onFailed);
  useEffect(() => {
    failed.current = onFailed;
  });
  const isMissing = isWanted && part.peek() === null;
  useEffect(() => {
    if (!isMissing) return undefined;
    let isMounted = true;
    part.load().then(
      () => isMounted && renderAgain((count) => count + 1),
      () => {
        if (!isMounted) return;
        showToast({ tone: 'error', message: i18n.t('partNotLoaded') });
        failed.current();
      },
    );
    return () => {
      isMounted = false;
    };
  }, [isMissing, part]);
  return part.peek();
}
