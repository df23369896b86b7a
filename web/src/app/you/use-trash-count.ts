import { listTrash } from '@filestead/contract/endpoints/trash';
import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import { pageConfig } from '../../api/page-config.ts';

/** Returns the number of deleted items; null until it is known, and where the server keeps none. */
export function useTrashCount(): number | null {
  const [count, setCount] = useState<number | null>(null);
  useEffect(() => {
    if (!pageConfig.EnableTrash) return undefined;
    const controller = new AbortController();
    call(listTrash, { query: { limit: '1' }, signal: controller.signal }).then(
      ({ total }) => setCount(total),
      // The trash itself reports the failure.
      () => undefined,
    );
    return () => controller.abort();
  }, []);
  return count;
}
