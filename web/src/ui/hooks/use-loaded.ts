import { useEffect, useState } from 'react';

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
      (error: unknown) => show({ kind: 'failed', error }),
    );
    return () => controller.abort();
  }, [load]);
  return state?.load === load ? state.loaded : { kind: 'loading' };
}

const never = (): Promise<never> => new Promise(() => undefined);

/** As {@link useLoaded}, for a part that is shown only once its value is loaded: null before that, after a failure, and without `load`. */
export function useReady<T>(load: ((signal: AbortSignal) => Promise<T>) | null): T | null {
  const loaded: Loaded<T> = useLoaded(load ?? never);
  return loaded.kind === 'ready' ? loaded.value : null;
}
