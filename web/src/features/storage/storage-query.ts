import { getStorage } from '@filestead/contract/endpoints/storage';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/**
 * The query of the report on the disks. With `checks` the stores are also compared with their records, which reads all of
 * them.
 */
export const storageQuery = (checks: boolean) =>
  queryOptions({
    queryKey: ['storage', checks],
    queryFn: ({ signal }) => call(getStorage, { query: checks ? { check: 'true' } : {}, signal }),
  });
