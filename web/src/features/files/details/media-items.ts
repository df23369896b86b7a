import type { MediaInfo } from '@filestead/contract/previews';
import { formatClock, formatNumber } from '../../../i18n/format.ts';
import { currentLanguageTag } from '../../../i18n/i18n.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { placeName } from '../entries/place-name.ts';
import { filesText } from '../feedback/files-text.ts';
import type { MetadataItem } from './metadata-list.tsx';

/** Formats an exposure time as cameras do: `1/640 s`, or `2.5 s`. */
export function formatExposure(seconds: number): string {
  return seconds < 0.3 ? `1/${formatNumber(Math.round(1 / seconds))} s` : `${formatNumber(seconds)} s`;
}

/** Returns the focal length, aperture, exposure time and sensitivity in one line; empty when nothing is known. */
export function exposureOf({ focalLengthMm, aperture, exposureSeconds, iso }: MediaInfo): string {
  return [
    focalLengthMm === undefined ? '' : `${formatNumber(focalLengthMm)} mm`,
    aperture === undefined ? '' : `ƒ/${formatNumber(aperture)}`,
    exposureSeconds === undefined ? '' : formatExposure(exposureSeconds),
    iso === undefined ? '' : `ISO ${iso}`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** Returns the town, the country and the position at which a picture was taken; undefined without a position. */
export function placeOf({ place, position }: MediaInfo): string | undefined {
  if (position === undefined) return undefined;
  const numbers = isolateBidi(`${position.latitude.toFixed(5)}, ${position.longitude.toFixed(5)}`);
  return place === undefined ? numbers : `${placeName(place)} · ${numbers}`;
}

/** Returns the title of music, and the duration of music and videos. */
export const mediaItems = (info: MediaInfo): MetadataItem[] =>
  knownItems([
    [filesText('details.songTitle'), info.title],
    [filesText('details.artist'), info.artist],
    [filesText('details.album'), info.album],
    [filesText('details.duration'), info.seconds === undefined ? undefined : formatClock(info.seconds)],
  ]);

/** A line about how a picture was taken. */
export interface CaptureItem {
  readonly kind: 'date' | 'place' | 'camera';
  readonly label: string;
  readonly value: string;
  /** Less important, below the value. */
  readonly note?: string | undefined;
}

/** Returns the date, the place and the camera of a picture or video; the camera with its exposure, in one line. */
export function captureItems(info: MediaInfo): readonly CaptureItem[] {
  const takenMs = info.taken === undefined ? Number.NaN : Date.parse(info.taken);
  const place = placeOf(info);
  const camera = [info.camera, exposureOf(info)].filter(Boolean).join(' · ');
  const value = camera || info.lens;
  return [
    ...(Number.isNaN(takenMs)
      ? []
      : [{ kind: 'date', label: filesText('details.taken'), value: formatTaken(takenMs) } as const]),
    ...(place === undefined
      ? []
      : [{ kind: 'place', label: filesText('details.place'), value: place } as const]),
    ...(value === undefined
      ? []
      : [
          {
            kind: 'camera',
            label: filesText('details.camera'),
            value,
            note: camera === '' ? undefined : info.lens,
          } as const,
        ]),
  ];
}

/** Formats the time at which a picture was taken, with the day of the week: `Sunday, 15 November 2026 at 14:21`. */
const formatTaken = (atMs: number): string =>
  new Intl.DateTimeFormat(currentLanguageTag(), { dateStyle: 'full', timeStyle: 'short' }).format(atMs);

const knownItems = (items: readonly (readonly [string, string | undefined])[]): MetadataItem[] =>
  items.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value }]));
