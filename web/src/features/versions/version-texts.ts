import type { Version, VersionChange } from '@filestead/contract/endpoints/versions';
import { formatDate, formatDay, formatTime, isSameDay } from '../../i18n/format.ts';
import { i18n } from '../../i18n/i18n.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Translates texts of the `versions` namespace outside components. */
export const versionsText = i18n.translatorOf('versions');

/** The sections of the list. */
export type VersionSection = 'today' | 'week' | 'earlier';

/** Returns the time at which a state was written, in Unix milliseconds. */
export const writtenAt = ({ written, modified }: Pick<Version, 'written' | 'modified'>): number =>
  Date.parse(written?.at ?? modified);

/** Returns the section of a time. */
export function sectionOf(atMs: number, nowMs: number): VersionSection {
  if (isSameDay(atMs, nowMs)) return 'today';
  return nowMs - atMs < 7 * dayMs ? 'week' : 'earlier';
}

/** Returns a time for the list: "Today 14:02", otherwise the day and the time. */
export function timeText(atMs: number, nowMs: number): string {
  if (isSameDay(atMs, nowMs)) return formatDate(atMs, { nowMs });
  return versionsText('dayAndTime', { day: formatDay(atMs, nowMs), time: formatTime(atMs) });
}

/** Describes the change that wrote a state, such as "Anna saved it in the editor". */
export function changeText(change: VersionChange | null): string {
  if (change === null) return versionsText('written.unknown');
  const name = change.by === null ? versionsText('deletedAccount') : isolateBidi(change.by);
  return versionsText(`written.${change.act}`, { name });
}
