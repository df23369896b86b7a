import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { PreviewEntry } from './preview-entry.ts';

/** The point from which a recording is played. */
export interface PlayPoint {
  /** The position, in seconds. */
  readonly seconds: number;
  /** The playback rate; 1 is the recorded speed. */
  readonly rate: number;
  readonly isPlaying: boolean;
}

/** The small player of the page, which plays on while the previewer is closed. */
export interface BackgroundPlayer {
  /** Continues a recording, and then the following ones of the same kind among `siblings`. */
  continueWith(entry: PreviewEntry, siblings: readonly PreviewEntry[], point: PlayPoint): void;
  /** Closes the player if it plays the recording at `path`, and returns the point to continue at; otherwise null. */
  takeOver(path: VirtualPath): PlayPoint | null;
  /** Pauses the player, because the previewer plays something else. */
  pause(): void;
}

/** Returns the point at which a media element is. */
export const pointOf = (media: HTMLMediaElement): PlayPoint => ({
  seconds: media.currentTime,
  rate: media.playbackRate,
  isPlaying: !media.paused && !media.ended,
});
