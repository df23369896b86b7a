import { storedJson, storeText } from '../../../ui/browser-storage.ts';

const key = 'filestead.playing';
/** Maximum number of remembered recordings. */
const maxRecordings = 100;
/** Shorter recordings always start at the beginning, in seconds. */
const minDurationSeconds = 120;
/** A recording is finished when less than this remains, in seconds. */
const endSeconds = 15;

type Positions = readonly (readonly [id: string, seconds: number])[];

function storedPositions(): Positions {
  const found = storedJson(key);
  return Array.isArray(found)
    ? (found.filter((one) => Array.isArray(one) && one.length === 2) as Positions)
    : [];
}

/** Returns the position at which the recording `id` was left in this browser, in seconds; 0 for its beginning. */
export function loadPlayPosition(id: string): number {
  const seconds = Number(storedPositions().find(([one]) => one === id)?.[1]);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}

/**
 * Saves how far a recording was played, unless it is short, has just begun or is finished. All values are in seconds.
 */
export function savePlayPosition(id: string, seconds: number, duration: number): void {
  const others = storedPositions().filter(([one]) => one !== id);
  const isPartlyPlayed =
    duration >= minDurationSeconds && seconds > endSeconds && seconds < duration - endSeconds;
  const first: Positions = isPartlyPlayed ? [[id, Math.floor(seconds)]] : [];
  const next: Positions = [...first, ...others].slice(0, maxRecordings);
  storeText(key, next.length > 0 ? JSON.stringify(next) : null);
}
