import type { Place } from '@filestead/contract/previews';
import { formatRegion } from '../../../i18n/format.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';

/** Returns the town and the country of a place, in the direction of the page: `Lisbon, Portugal`. */
export const placeName = ({ town, country }: Place): string =>
  `${isolateBidi(town)}, ${isolateBidi(formatRegion(country))}`;
