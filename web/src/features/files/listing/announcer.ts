import { formatNumber } from '../../../i18n/format.ts';
import { i18n } from '../../../i18n/i18n.ts';
import type { ListingSurface } from './surface.ts';

/** So that a run of selections is read out once, at its end. */
const quietMs = 300;

/** Tells users of screen readers how much is selected and how the listing is sorted. */
export function attachAnnouncer(surface: ListingSurface): () => void {
  const { model } = surface;
  let { selectedCount: count, sorting } = model;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const unsubscribe = model.subscribe(() => {
    if (model.sorting !== sorting) {
      sorting = model.sorting;
      const by = i18n.t(`listing:columns.${sorting.by}`);
      const isUp = sorting.by === 'name' ? !sorting.asc : sorting.asc;
      surface.announce(i18n.t(isUp ? 'listing:sortedUp' : 'listing:sortedDown', { by }));
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
    }, quietMs);
  });
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
}
