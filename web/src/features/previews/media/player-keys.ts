/** Speeds of a recording (docs/reference/filebrowser-api.md §6.6). */
export const playbackRates = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;
/** What one press of an arrow skips, in seconds (docs/reference/filebrowser-api.md §6.6). */
export const skipSeconds = 5;

/** Goes forward, or back with a negative number, within the recording. */
export function skip(player: HTMLMediaElement, seconds: number): void {
  const end = Number.isFinite(player.duration) ? player.duration : Number.MAX_SAFE_INTEGER;
  player.currentTime = Math.min(end, Math.max(0, player.currentTime + seconds));
}

/** Goes to a place in the recording, in seconds. */
export function seek(player: HTMLMediaElement | null, seconds: number): void {
  if (player) player.currentTime = seconds;
}

/** Plays faster or slower; 1: as recorded. */
export function setRate(player: HTMLMediaElement | null, rate: number): void {
  if (player) player.playbackRate = rate;
}

/** Shows one of a video's subtitles, by its number from 0; -1: none. */
export function showSubtitle(player: HTMLMediaElement | null, shown: number): void {
  for (const [index, track] of [...(player?.textTracks ?? [])].entries()) {
    track.mode = index === shown ? 'showing' : 'disabled';
  }
}

export function togglePlaying(player: HTMLMediaElement): void {
  // A player may refuse before anyone has touched the page; then its own button is still there.
  if (player.paused) player.play().catch(() => undefined);
  else player.pause();
}

/** The next faster (`1`) or slower (`-1`) speed. */
export function stepRate(rate: number, step: 1 | -1): number {
  const at = playbackRates.findIndex((one) => one >= rate - 0.01);
  return playbackRates[at + step] ?? rate;
}

/** Full screen, or back. */
export function toggleFullscreen(player: HTMLMediaElement): void {
  const change = document.fullscreenElement === null ? player.requestFullscreen() : document.exitFullscreen();
  change.catch(() => undefined);
}

/** What a key does to a player; null when the key means nothing to it. */
export function playerAction(key: string, player: HTMLMediaElement): (() => void) | null {
  switch (key) {
    case ' ':
    case 'k':
      return () => togglePlaying(player);
    case 'f':
      return player instanceof HTMLVideoElement ? () => toggleFullscreen(player) : null;
    case 'm':
      return () => {
        player.muted = !player.muted;
      };
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

/** Whether it was played since it was opened: only then the arrows are meant for it and not for its neighbours. */
const isStarted = (player: HTMLMediaElement): boolean => player.played.length > 0;
