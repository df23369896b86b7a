import { isAscending } from '@filestead/contract/values/listing-columns';
import { formatNumber } from '../../../i18n/format.ts';
import { i18n } from '../../../i18n/i18n.ts';
import type { ListingSurface } from './surface.ts';

/** The delay of announcements, in ms, so that only the last of several selections is announced. */
const announceDelayMs = 300;

/** Announces the number of selected entries and the sort order to screen readers. */
export function attachAnnouncer(surface: ListingSurface): () => void {
  const { model } = surface;
  let { selectedCount: count, sorting } = model;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const unsubscribe = model.subscribe(() => {
    if (model.sorting !== sorting) {
      sorting = model.sorting;
      const by = i18n.t(`listing:columns.${sorting.by}.head`);
      surface.announce(i18n.t(isAscending(sorting) ? 'listing:sortedUp' : 'listing:sortedDown', { by }));
    }
    if (model.selectedCount === count) return;
    count = model.selectedCount;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const text =
        count === 0
          ? i18n.t('listing:noneSelected')
          : i18n.t('common:selectedCount', { count, number: formatNumber(count) });
      surface.announce(text);
    }, announceDelayMs);
  });
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
}
