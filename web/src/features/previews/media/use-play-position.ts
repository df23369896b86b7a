import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { BackgroundPlayer, PlayPoint } from '../background-player.ts';
import { loadPlayPosition, savePlayPosition } from './play-position.ts';
import { seek, setRate } from './player-keys.ts';

/** The interval at which the position is saved while a recording plays, in ms. */
const saveIntervalMs = 5000;

interface PlayedRecording {
  readonly player: RefObject<HTMLMediaElement | null>;
  /** Identifies the content, whose position is remembered in this browser. */
  readonly id: string;
  readonly path: VirtualPath;
  /** Absent where nothing is played outside the previewer. */
  readonly backgroundPlayer: BackgroundPlayer | undefined;
}

/**
 * Continues a recording where the background player is, or where it was left, and saves its position. The recording ends with the
 * component.
 */
export function usePlayPosition({ player, id, path, backgroundPlayer }: PlayedRecording) {
  /** The position at which it was continued, in seconds; 0 if it began at its beginning. */
  const [resumedAt, setResumedAt] = useState(0);
  const savedMs = useRef(0);
  // The background player ends before this one starts, so that a recording is never heard twice.
  const takenOver = useRef<PlayPoint | null>(null);
  useLayoutEffect(() => {
    takenOver.current = backgroundPlayer?.takeOver(path) ?? null;
    // Browsers refuse to play before the first input; then the button of the player remains.
    if (takenOver.current?.isPlaying) player.current?.play().catch(() => undefined);
  }, [backgroundPlayer, path, player]);
  const save = (media: HTMLMediaElement) => savePlayPosition(id, media.currentTime, media.duration);
  useEffect(() => {
    const media = player.current;
    return () => {
      if (!media) return;
      if (media.played?.length > 0) savePlayPosition(id, media.currentTime, media.duration);
      // Without this, browsers continue to fetch a video that has been closed.
      media.pause();
      if (document.pictureInPictureElement === media) document.exitPictureInPicture().catch(() => undefined);
      media.removeAttribute('src');
      media.load();
    };
  }, [player, id]);
  return {
    resumedAt,
    save,
    /** Saves the position of a running recording from time to time. */
    saveWhilePlaying: (media: HTMLMediaElement) => {
      if (media.paused || Date.now() - savedMs.current < saveIntervalMs) return;
      savedMs.current = Date.now();
      save(media);
    },
    /** Seeks to the position once the length is known. */
    resume: (media: HTMLMediaElement) => {
      const point = takenOver.current;
      if (point) {
        seek(media, point.seconds);
        setRate(media, point.rate);
        return;
      }
      const seconds = loadPlayPosition(id);
      if (seconds === 0 || seconds >= media.duration) return;
      seek(media, seconds);
      setResumedAt(seconds);
    },
    startOver: () => {
      seek(player.current, 0);
      setResumedAt(0);
    },
  };
}
