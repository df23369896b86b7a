import { getSettings } from '@filestead/contract/settings';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

/** The settings of the server, which only administrators may read. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => call(getSettings, { signal }),
});
