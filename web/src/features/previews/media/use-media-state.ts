import { useEffect, useState, type RefObject } from 'react';

/** The state of a recording that its controls show. */
export interface MediaState {
  readonly isPlaying: boolean;
  /** The position, in seconds. */
  readonly seconds: number;
  /** The length in seconds; 0 until it is known, and for a stream without an end. */
  readonly duration: number;
  readonly isMuted: boolean;
  /** From 0 to 1. */
  readonly volume: number;
}

const initial: MediaState = { isPlaying: false, seconds: 0, duration: 0, isMuted: false, volume: 1 };
const events = ['play', 'pause', 'timeupdate', 'seeked', 'durationchange', 'volumechange'] as const;

/** Returns the state of a player element after each of its changes. */
export function useMediaState(player: RefObject<HTMLMediaElement | null>): MediaState {
  const [state, setState] = useState(initial);
  useEffect(() => {
    const media = player.current;
    if (!media) return undefined;
    const read = (): void =>
      setState({
        isPlaying: !media.paused,
        seconds: media.currentTime,
        duration: Number.isFinite(media.duration) ? media.duration : 0,
        isMuted: media.muted,
        volume: media.volume,
      });
    read();
    for (const name of events) media.addEventListener(name, read);
    return () => {
      for (const name of events) media.removeEventListener(name, read);
    };
  }, [player]);
  return state;
}
