import { savedPlayerKey as key } from './saved-player-key.ts';
import { isTrack, type Track } from './track.ts';
import { storedJson, storeJson, storeText } from '../../ui/browser-storage.ts';

/** Maximum number of saved tracks before and after the current one. */
const maxOnEachSide = 100;

/** The state of the small player that a reload of the page keeps. */
export interface SavedPlayer {
  readonly userId: number;
  readonly tracks: readonly Track[];
  readonly index: number;
  readonly seconds: number;
  readonly rate: number;
  readonly isPlaying: boolean;
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Saves the state of the player for a reload of this tab; null discards it. */
export function savePlayer(saved: SavedPlayer | null): void {
  if (saved === null) {
    storeText(key, null, 'tab');
    return;
  }
  const first = Math.max(0, saved.index - maxOnEachSide);
  const tracks = saved.tracks.slice(first, saved.index + maxOnEachSide + 1);
  storeJson(key, { ...saved, tracks, index: saved.index - first }, 'tab');
}

/** Returns the state of the player of a user before the page was reloaded; null if nothing was playing. */
export function loadPlayer(userId: number): SavedPlayer | null {
  const found = storedJson(key, 'tab');
  if (typeof found !== 'object' || found === null) return null;
  const { tracks, index, seconds, rate, isPlaying, ...rest } = found as Partial<SavedPlayer>;
  if (rest.userId !== userId || !Array.isArray(tracks) || !tracks.every(isTrack)) return null;
  if (!isNumber(index) || tracks[index] === undefined) return null;
  return {
    userId,
    tracks,
    index,
    seconds: isNumber(seconds) && seconds > 0 ? seconds : 0,
    rate: isNumber(rate) && rate >= 0.5 && rate <= 3 ? rate : 1,
    isPlaying: isPlaying === true,
  };
}
