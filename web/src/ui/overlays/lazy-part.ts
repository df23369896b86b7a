import { useEffect, useRef, useState } from 'react';
import { i18n } from '../../i18n/i18n.ts';
import { showToast } from '../feedback/toast.ts';

/** A module that is fetched on first use and available synchronously afterwards. */
export interface LazyPart<T> {
  /** Fetches the module once. After a failure the next call tries again. */
  load(): Promise<T>;
  /** Returns the module, or null if it is not loaded. */
  peek(): T | null;
  /**
   * Calls `use` once the module is loaded, without causing that. Returns the function that stops waiting, or calls what
   * `use` has returned.
   */
  whenLoaded(use: (module: T) => () => void): () => void;
}

/** Creates a part that is loaded by `fetchModule`. */
export function lazyPart<T>(fetchModule: () => Promise<T>): LazyPart<T> {
  let loaded: T | null = null;
  let pending: Promise<T> | null = null;
  const waiting = new Set<(module: T) => void>();
  async function fetchOnce(): Promise<T> {
    try {
      loaded = await fetchModule();
      for (const start of waiting) start(loaded);
      waiting.clear();
      return loaded;
    } finally {
      pending = null;
    }
  }
  return {
    load: () => (loaded === null ? (pending ??= fetchOnce()) : Promise.resolve(loaded)),
    peek: () => loaded,
    whenLoaded(use) {
      let stop: (() => void) | null = null;
      const start = (module: T) => {
        stop = use(module);
      };
      if (loaded === null) waiting.add(start);
      else start(loaded);
      return () => {
        waiting.delete(start);
        stop?.();
      };
    },
  };
}

/** Loads a part. If it cannot be fetched, the user gets a notice, and null is returned. */
export async function loadOrReport<T>(part: LazyPart<T>): Promise<T | null> {
  try {
    return await part.load();
  } catch {
    showToast({ tone: 'error', message: i18n.t('partNotLoaded') });
    return null;
  }
}

/**
 * Returns the module once it is needed and loaded, else null. If it cannot be fetched (the server was updated or cannot
 * be reached), the user gets a notice, and `onFailed` lets the owner reset its state.
 */
export function useLazyPart<T>(part: LazyPart<T>, isNeeded: boolean, onFailed: () => void): T | null {
  const [, renderAgain] = useState(0);
  const failed = useRef(onFailed);
  useEffect(() => {
    failed.current = onFailed;
  });
  const isMissing = isNeeded && part.peek() === null;
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
