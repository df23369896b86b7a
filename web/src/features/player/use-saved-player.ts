import { useEffect } from 'react';
import type { Player } from './player.ts';
import { loadPlayer, savePlayer } from './saved-player.ts';

/**
 * Keeps the player of a user across a reload of the page: the recordings, the position, and whether they were playing. Closes it when
 * another user signs in.
 */
export function useSavedPlayer(player: Player, userId: number): void {
  useEffect(() => {
    const saved = player.track === null ? loadPlayer(userId) : null;
    if (saved) player.open(saved.tracks, saved.index, saved);
    let lastSeconds = -Infinity;
    let last = player.getSnapshot();
    const save = () => {
      const { tracks, index, seconds, rate, isPlaying } = player.getSnapshot();
      lastSeconds = seconds;
      savePlayer(tracks.length === 0 ? null : { userId, tracks, index, seconds, rate, isPlaying });
    };
    const stop = player.subscribe(() => {
      const state = player.getSnapshot();
      const hasChanged =
        state.tracks !== last.tracks || state.index !== last.index || state.isPlaying !== last.isPlaying;
      last = state;
      // The position changes four times a second.
      if (hasChanged || Math.abs(state.seconds - lastSeconds) > 5) save();
    });
    window.addEventListener('pagehide', save);
    return () => {
      stop();
      window.removeEventListener('pagehide', save);
    };
  }, [player, userId]);
  useEffect(
    () => () => {
      player.close();
      savePlayer(null);
    },
    [player],
  );
}
