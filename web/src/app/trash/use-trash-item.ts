import { getTrashItem, type TrashItem } from '@filestead/contract/endpoints/trash';
import { useEffect, useState } from 'react';
import { call, isAbort } from '../../api/call.ts';
import type { TrashModel } from '../../features/trash/trash-model.ts';

/** A deleted item of which the id is known. */
export type KnownItem =
  | { readonly kind: 'loading' }
  | { readonly kind: 'known'; readonly item: TrashItem }
  | { readonly kind: 'failed'; readonly error: unknown };

const loading: KnownItem = { kind: 'loading' };

/** Returns the item with the id `id`: from the list if it is there, otherwise from the server. */
export function useTrashItem(id: string, list: TrashModel): KnownItem {
  const listed = list.item(id);
  const isListed = listed !== null;
  const [state, setState] = useState<{ id: string; known: KnownItem }>({ id, known: loading });
  useEffect(() => {
    if (isListed) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    call(getTrashItem, { params: { id }, signal }).then(
      (item) => setState({ id, known: { kind: 'known', item } }),
      (error: unknown) => {
        if (!isAbort(error) && !signal.aborted) setState({ id, known: { kind: 'failed', error } });
      },
    );
    return () => controller.abort();
  }, [id, isListed]);
  if (listed) return { kind: 'known', item: listed };
  return state.id === id ? state.known : loading;
}
