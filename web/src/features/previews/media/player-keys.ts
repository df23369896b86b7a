/** The available playback rates (docs/reference/filebrowser-api.md §6.6). */
export const playbackRates = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;
/** The time that one press of an arrow key skips, in seconds (docs/reference/filebrowser-api.md §6.6). */
export const skipSeconds = 5;

/** Skips forward, or back with a negative number, within the recording. */
export function skip(player: HTMLMediaElement, seconds: number): void {
  const end = Number.isFinite(player.duration) ? player.duration : Number.MAX_SAFE_INTEGER;
  player.currentTime = Math.min(end, Math.max(0, player.currentTime + seconds));
}

/** Seeks to a position in the recording, in seconds. */
export function seek(player: HTMLMediaElement | null, seconds: number): void {
  if (player) player.currentTime = seconds;
}

/** Sets the playback rate; 1 is the recorded speed. */
export function setRate(player: HTMLMediaElement | null, rate: number): void {
  if (player) player.playbackRate = rate;
}

/** Shows the subtitles with the given index and hides the others; -1 hides all. */
export function showSubtitle(player: HTMLMediaElement | null, shown: number): void {
  for (const [index, track] of [...(player?.textTracks ?? [])].entries()) {
    track.mode = index === shown ? 'showing' : 'disabled';
  }
}

/** Starts or pauses playback. */
export function togglePlaying(player: HTMLMediaElement): void {
  // Browsers may refuse to play before the first user gesture; the player's own button remains.
  if (player.paused) player.play().catch(() => undefined);
  else player.pause();
}

/** Turns the sound off or on. */
export function toggleMuted(player: HTMLMediaElement): void {
  player.muted = !player.muted;
}

/** Sets the volume from 0 to 1, and turns the sound on. */
export function setVolume(player: HTMLMediaElement | null, volume: number): void {
  if (!player) return;
  player.volume = volume;
  player.muted = false;
}

/** Returns the next faster (`1`) or slower (`-1`) playback rate. */
export function stepRate(rate: number, step: 1 | -1): number {
  const at = playbackRates.findIndex((one) => one >= rate - 0.01);
  return playbackRates[at + step] ?? rate;
}

/** Enters or leaves full screen. */
export function toggleFullscreen(player: HTMLMediaElement): void {
  const change = document.fullscreenElement === null ? player.requestFullscreen() : document.exitFullscreen();
  change.catch(() => undefined);
}

/** Returns the action of a key for a player, or null when the player does not handle the key. */
export function playerAction(key: string, player: HTMLMediaElement): (() => void) | null {
  switch (key) {
    case ' ':
    case 'k':
      return () => togglePlaying(player);
    case 'f':
      return player instanceof HTMLVideoElement ? () => toggleFullscreen(player) : null;
    case 'm':
      return () => toggleMuted(player);
    case '<':
      return () => {
        player.playbackRate = stepRate(player.playbackRate, -1);
      };
    case '>':
      return () => {
        player.playbackRate = stepRate(player.playbackRate, 1);
      };
    case 'ArrowLeft':
      return isStarted(player) ? () => skip(player, -skipSeconds) : null;
    case 'ArrowRight':
      return isStarted(player) ? () => skip(player, skipSeconds) : null;
    default:
      return null;
  }
}

/**
 * Whether playback has started since the recording was opened. Only then the arrow keys skip instead of moving to a
 * neighbor.
 */
const isStarted = (player: HTMLMediaElement): boolean => player.played.length > 0;
