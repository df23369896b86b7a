import { useEffect, useState } from 'react';
import { isAbort } from '../../../api/api-error.ts';

/** What comes after a while, or does not. */
export type Loaded<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown };

type Known<T> = { readonly load: (signal: AbortSignal) => Promise<T>; readonly loaded: Loaded<T> };

/** What `load` finds, once per `load`; its signal ends when the component goes or asks for something else. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [known, setKnown] = useState<Known<T> | null>(null);
  useEffect(() => {
    const leave = new AbortController();
    const show = (loaded: Loaded<T>) => {
      if (!leave.signal.aborted) setKnown({ load, loaded });
    };
    load(leave.signal).then(
      (value) => show({ kind: 'ready', value }),
      (error: unknown) => {
        if (!isAbort(error)) show({ kind: 'failed', error });
      },
    );
    return () => leave.abort();
  }, [load]);
  return known?.load === load ? known.loaded : { kind: 'loading' };
}
