import type { Sorting } from '@filestead/contract/users';
import { isAscending } from '@filestead/contract/values/listing-columns';
import { formatNumber } from '../../../i18n/format.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import type { ForeignChanges } from './model/listing-model.ts';
import type { ListingSurface } from './surface.ts';

/** The delay of announcements, in ms, so that only the last of several selections is announced. */
const announceDelayMs = 300;

/** Returns the text for changes by others; empty without changes. */
function foreignChangesText({ arrived, lost }: ForeignChanges): string {
  const [arrivedName = ''] = arrived;
  const [lostName = ''] = lost;
  const texts: string[] = [];
  if (lost.length > 0) {
    const count = { count: lost.length, number: formatNumber(lost.length), name: isolateBidi(lostName) };
    texts.push(i18n.t(lost.length === 1 ? 'listing:lostOne' : 'listing:lostMany', count));
  }
  if (arrived.length > 0) {
    const count = {
      count: arrived.length,
      number: formatNumber(arrived.length),
      name: isolateBidi(arrivedName),
    };
    texts.push(i18n.t(arrived.length === 1 ? 'listing:arrivedOne' : 'listing:arrivedMany', count));
  }
  return texts.join(' ');
}

/** Describes the order of the entries. */
export const sortedText = (sorting: Sorting): string =>
  i18n.t(isAscending(sorting) ? 'listing:sortedUp' : 'listing:sortedDown', {
    by: i18n.t(`listing:columns.${sorting.by}.header`),
  });

/** Announces the number of selected entries, changes by others, and the sort order to screen readers. */
export function attachAnnouncer(surface: ListingSurface): () => void {
  const { model } = surface;
  let { selectedCount: count, sorting } = model;
  let hasNewSelection = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const unsubscribe = model.subscribe(() => {
    if (model.sorting !== sorting) {
      sorting = model.sorting;
      surface.announce(sortedText(sorting));
    }
    if (model.selectedCount === count && !model.hasForeignChanges) return;
    const isNewSelection = model.selectedCount !== count;
    count = model.selectedCount;
    hasNewSelection ||= isNewSelection;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const selected =
        count === 0
          ? i18n.t('listing:noneSelected')
          : i18n.t('common:selectedCount', { count, number: formatNumber(count) });
      const changes = foreignChangesText(model.takeForeignChanges());
      surface.announce([changes, hasNewSelection ? selected : ''].filter((text) => text !== '').join(' '));
      hasNewSelection = false;
    }, announceDelayMs);
  });
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
}
