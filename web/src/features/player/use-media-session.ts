import { useEffect } from 'react';
import type { Player, PlayerState } from './player.ts';
import type { Track } from './track.ts';
import type { Tags } from './use-tags.ts';

/** The time by which the system's keys skip, in seconds, unless the system names another. */
const skipSeconds = 10;

/**
 * Connects the player with the system: media keys, headphones and the lock screen control it, and show title and cover. Browsers without
 * this interface are unaffected.
 */
export function useMediaSession(player: Player, track: Track, title: string, tags: Tags): void {
  const { artist, album } = tags;
  const { coverUrl } = track;
  useEffect(() => {
    if (!('mediaSession' in navigator) || typeof MediaMetadata === 'undefined') return;
    navigator.mediaSession.metadata = new MediaMetadata({
      title,
      artist: artist ?? '',
      album: album ?? '',
      artwork: coverUrl === null ? [] : [{ src: new URL(coverUrl, window.location.origin).href }],
    });
  }, [title, artist, album, coverUrl]);
  useEffect(() => {
    if (!('mediaSession' in navigator)) return undefined;
    const { mediaSession } = navigator;
    const handlers: Partial<Record<MediaSessionAction, MediaSessionActionHandler>> = {
      play: () => player.play(),
      pause: () => player.pause(),
      stop: () => player.close(),
      previoustrack: () => player.previous(),
      nexttrack: () => player.next(),
      seekbackward: ({ seekOffset }) => player.seek(player.media.currentTime - (seekOffset ?? skipSeconds)),
      seekforward: ({ seekOffset }) => player.seek(player.media.currentTime + (seekOffset ?? skipSeconds)),
      seekto: ({ seekTime }) => seekTime !== undefined && player.seek(seekTime),
    };
    const set = (action: string, handler: MediaSessionActionHandler | null): void => {
      try {
        mediaSession.setActionHandler(action as MediaSessionAction, handler);
      } catch {
        // Browsers throw for actions that they do not know.
      }
    };
    for (const [action, handler] of Object.entries(handlers)) set(action, handler);
    const report = () => reportState(player.getSnapshot());
    const stop = player.subscribe(report);
    report();
    return () => {
      stop();
      for (const action of Object.keys(handlers)) set(action, null);
      mediaSession.metadata = null;
      mediaSession.playbackState = 'none';
    };
  }, [player]);
}

function reportState({ isPlaying, seconds, duration, rate }: PlayerState): void {
  navigator.mediaSession.playbackState = isPlaying ? 'playing' : 'paused';
  try {
    navigator.mediaSession.setPositionState?.(
      duration > 0 ? { duration, position: Math.min(seconds, duration), playbackRate: rate } : undefined,
    );
  } catch {
    // The length has changed meanwhile; the next report is correct.
  }
}
