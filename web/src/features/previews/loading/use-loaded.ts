import { useEffect, useState } from 'react';
import { isAbort } from '../../../api/api-error.ts';

/** The state of a value that is loaded asynchronously. */
export type Loaded<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown };

type LoadState<T> = { readonly load: (signal: AbortSignal) => Promise<T>; readonly loaded: Loaded<T> };

/**
 * Runs `load` whenever it changes and returns the state of its result. Its signal is aborted when the component
 * unmounts or `load` changes.
 */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<LoadState<T> | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const show = (loaded: Loaded<T>) => {
      if (!controller.signal.aborted) setState({ load, loaded });
    };
    load(controller.signal).then(
      (value) => show({ kind: 'ready', value }),
      (error: unknown) => {
        if (!isAbort(error)) show({ kind: 'failed', error });
      },
    );
    return () => controller.abort();
  }, [load]);
  return state?.load === load ? state.loaded : { kind: 'loading' };
}
