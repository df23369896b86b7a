import type { Track } from './track.ts';

/** The state of the small player. Without tracks it is closed. */
export interface PlayerState {
  readonly tracks: readonly Track[];
  readonly index: number;
  readonly isPlaying: boolean;
  /** The position, in seconds. */
  readonly seconds: number;
  /** The length of the recording in seconds; 0 until it is known, and for a stream without an end. */
  readonly duration: number;
  /** The playback rate; 1 is the recorded speed. */
  readonly rate: number;
  readonly isMuted: boolean;
  /** Whether the browser cannot play the current recording. */
  readonly hasFailed: boolean;
}

/** The point from which a recording is played. */
export interface PlayPoint {
  readonly seconds: number;
  readonly rate: number;
  readonly isPlaying: boolean;
}

/** The positions at which long recordings were left, in seconds. They are shared with the previewer. */
export interface PlayPositions {
  load(track: Track): number;
  save(track: Track, seconds: number, duration: number): void;
}

const closed: PlayerState = {
  tracks: [],
  index: 0,
  isPlaying: false,
  seconds: 0,
  duration: 0,
  rate: 1,
  isMuted: false,
  hasFailed: false,
};

/** The position in seconds from which on "previous" returns to the beginning of the recording. */
const restartAfterSeconds = 3;
/** The interval at which the position is saved while a recording plays, in ms. */
const saveIntervalMs = 5000;

/**
 * Plays the recordings of a folder one after the other, independent of the screen that is shown. The media element belongs to the player;
 * the bar shows it while it plays a video. A recording that cannot be played is skipped.
 */
export class Player {
  /** Plays videos and audio. */
  readonly media = document.createElement('video');
  readonly #positions: PlayPositions;
  readonly #listeners = new Set<() => void>();
  #state = closed;
  /** The position to continue at, once the length is known. */
  #startSeconds = 0;
  /** The number of recordings in succession that could not be played. */
  #failures = 0;
  #savedMs = 0;

  constructor(positions: PlayPositions) {
    this.#positions = positions;
    const { media } = this;
    media.preload = 'auto';
    media.playsInline = true;
    const on = (name: keyof HTMLMediaElementEventMap, listener: () => void): void =>
      media.addEventListener(name, listener);
    on('play', () => this.#set({ isPlaying: true }));
    on('pause', () => {
      this.#set({ isPlaying: false });
      this.#savePosition();
    });
    on('loadedmetadata', () => this.#onMetadata());
    on('durationchange', () => this.#set({ duration: this.#duration() }));
    on('timeupdate', () => this.#onTime());
    on('seeked', () => this.#onTime());
    on('ratechange', () => this.#set({ rate: media.playbackRate }));
    on('volumechange', () => this.#set({ isMuted: media.muted }));
    on('playing', () => {
      this.#failures = 0;
    });
    on('ended', () => this.#onEnded());
    on('error', () => this.#onError());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): PlayerState => this.#state;

  /** The recording that is played or paused; null while the player is closed. */
  get track(): Track | null {
    return this.#state.tracks[this.#state.index] ?? null;
  }

  /** Plays `tracks` from the one at `index` on. */
  open(tracks: readonly Track[], index: number, { seconds, rate, isPlaying }: PlayPoint): void {
    this.#failures = 0;
    this.media.defaultPlaybackRate = rate;
    this.#set({ tracks, rate });
    this.#load(index, { seconds, isPlaying });
  }

  /** Replaces the recordings around the current one, which plays on. Does nothing if the current one is not among them. */
  setTracks(tracks: readonly Track[]): void {
    const index = tracks.findIndex(({ path }) => path === this.track?.path);
    if (index >= 0) this.#set({ tracks, index });
  }

  /** Ends playback and removes the player. */
  close(): void {
    this.#savePosition();
    this.#state = closed;
    const { media } = this;
    media.pause();
    media.removeAttribute('src');
    media.load();
    this.#notify();
  }

  play(): void {
    if (this.#state.hasFailed) this.#load(this.#state.index, { seconds: 0, isPlaying: true });
    // Browsers refuse to play before the first input on the page; then the button remains.
    else this.media.play().catch(() => undefined);
  }

  pause(): void {
    this.media.pause();
  }

  toggle(): void {
    if (this.#state.isPlaying) this.pause();
    else this.play();
  }

  get hasNext(): boolean {
    return this.#state.index + 1 < this.#state.tracks.length;
  }

  /** Plays the next recording of the folder, if there is one. */
  next(): void {
    if (this.hasNext) this.#step(this.#state.index + 1);
  }

  /** Returns to the beginning of the recording, or at its beginning to the previous one. */
  previous(): void {
    const { index } = this.#state;
    if (this.media.currentTime > restartAfterSeconds || index === 0) this.seek(0);
    else this.#step(index - 1);
  }

  /** Continues at a position, in seconds. */
  seek(seconds: number): void {
    const duration = this.#duration();
    this.media.currentTime = Math.max(0, duration > 0 ? Math.min(seconds, duration) : seconds);
    this.#set({ seconds: this.media.currentTime });
  }

  setMuted(isMuted: boolean): void {
    this.media.muted = isMuted;
  }

  setRate(rate: number): void {
    this.media.defaultPlaybackRate = rate;
    this.media.playbackRate = rate;
  }

  #step(index: number): void {
    this.#savePosition();
    this.#load(index, { seconds: 0, isPlaying: true });
  }

  /** Loads a recording. With 0 `seconds` a long one continues at its saved position. */
  #load(index: number, { seconds, isPlaying }: Pick<PlayPoint, 'seconds' | 'isPlaying'>): void {
    const track = this.#state.tracks[index];
    if (!track) return;
    const start = seconds > 0 ? seconds : this.#positions.load(track);
    this.#startSeconds = start;
    this.#set({ index, seconds: start, duration: 0, hasFailed: false });
    this.media.src = track.url;
    this.media.load();
    if (isPlaying) this.play();
  }

  #onMetadata(): void {
    const { media } = this;
    if (this.#startSeconds > 0 && !(this.#startSeconds >= media.duration))
      media.currentTime = this.#startSeconds;
    this.#startSeconds = 0;
    this.#set({ duration: this.#duration() });
  }

  #onTime(): void {
    const { media } = this;
    // Before the start position is applied, the element reports 0.
    if (media.readyState === 0 || this.track === null) return;
    this.#set({ seconds: media.currentTime });
    if (media.paused || Date.now() - this.#savedMs < saveIntervalMs) return;
    this.#savePosition();
  }

  #onEnded(): void {
    if (this.hasNext) this.next();
    else this.#savePosition();
  }

  #onError(): void {
    if (this.track === null) return;
    this.#failures += 1;
    const shouldPlay = this.#state.isPlaying || this.#failures > 1;
    if (shouldPlay && this.hasNext && this.#failures < this.#state.tracks.length) {
      this.#load(this.#state.index + 1, { seconds: 0, isPlaying: true });
      return;
    }
    this.#set({ hasFailed: true, isPlaying: false });
  }

  #duration(): number {
    return Number.isFinite(this.media.duration) ? this.media.duration : 0;
  }

  #savePosition(): void {
    const { track } = this;
    if (track === null || this.media.readyState === 0) return;
    this.#savedMs = Date.now();
    this.#positions.save(track, this.media.currentTime, this.#duration());
    this.#notify();
  }

  #set(change: Partial<PlayerState>): void {
    const next = { ...this.#state, ...change };
    const keys = Object.keys(change) as (keyof PlayerState)[];
    if (keys.every((key) => next[key] === this.#state[key])) return;
    this.#state = next;
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
