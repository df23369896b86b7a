import { useCallback } from 'react';
import { formatClock } from '../../i18n/format.ts';
import { formatDimensions } from '../../i18n/format-dimensions.ts';
import { currentLanguageTag, i18n } from '../../i18n/i18n.ts';
import { useReady } from '../../ui/hooks/use-loaded.ts';
import { useFileAddresses } from './file-addresses.ts';
import type { PreviewEntry } from './preview-entry.ts';

/** Returns the dimensions, the duration and the day of a picture or recording with its town; empty while they are unknown. */
export function useMediaNotes(
  { path, type, modifiedMs }: PreviewEntry,
  isOffered: boolean,
): readonly string[] {
  const { loadInfo } = useFileAddresses();
  const load = useCallback(
    async (signal: AbortSignal) => (await loadInfo?.(path, signal)) ?? null,
    // A changed file is read again.
    // oxlint-disable-next-line react/exhaustive-deps
    [loadInfo, path, modifiedMs],
  );
  const isMedia = type === 'image' || type === 'video' || type === 'audio';
  const info = useReady(isOffered && isMedia ? load : null);
  if (info === null) return [];
  const takenMs = Date.parse(info.taken ?? '');
  const day = new Intl.DateTimeFormat(currentLanguageTag(), { dateStyle: 'long' });
  return [
    info.width > 0 ? formatDimensions(info.width, info.height) : '',
    info.seconds === undefined ? '' : formatClock(info.seconds),
    [Number.isNaN(takenMs) ? '' : day.format(takenMs), info.place?.town ?? '']
      .filter(Boolean)
      .join(i18n.t('listComma', { ns: 'common' })),
  ].filter(Boolean);
}
