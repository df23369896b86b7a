import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useEffectEvent, useMemo, useState, type RefObject } from 'react';
import type { PreviewEntry } from '../preview-entry.ts';
import { nextSlide } from './next-slide.ts';
import { loadSlideSeconds, saveSlideSeconds } from './slide-seconds.ts';

/** The time after which a slideshow skips a picture that has not loaded, in ms. */
const maxLoadMs = 15_000;
/** Dialogs, menus and lists of choices. The slideshow waits while one is open. */
const overlays = '[data-dialog-overlay], [role="menu"], [data-trigger="Select"]';

/** The slideshow of the previewer. */
export interface Slideshow {
  readonly isRunning: boolean;
  /** Whether there is another picture or video to show. */
  readonly isAvailable: boolean;
  /** The time for which each picture is shown. */
  readonly seconds: number;
  setSeconds(seconds: number): void;
  start(): void;
  pause(): void;
}

interface SlideshowParts {
  readonly entry: PreviewEntry;
  readonly siblings: readonly PreviewEntry[];
  /** Whether the picture has loaded. */
  readonly isShown: boolean;
  /** Whether the picture must stay, because the user has zoomed in. */
  readonly isHeld: boolean;
  readonly player: RefObject<HTMLMediaElement | null>;
  readonly onNavigate: (entry: PreviewEntry) => void;
}

/**
 * Shows one picture or video after the other, in full screen where the browser allows it. The time of a picture begins when it has loaded;
 * a video is played to its end. The slideshow waits while the page is hidden, the picture is enlarged, or a dialog is open, and pauses
 * when the user leaves full screen.
 */
export function useSlideshow(parts: SlideshowParts): Slideshow {
  const { entry, siblings, isShown, isHeld, player, onNavigate } = parts;
  const [isRunning, setRunning] = useState(false);
  const [seconds, setSeconds] = useState(loadSlideSeconds);
  const next = useMemo(() => nextSlide(siblings, entry.path), [siblings, entry.path]);
  const { path } = entry;
  const showNext = useEffectEvent((shown: VirtualPath) => {
    if (!next) setRunning(false);
    else if (shown === path) onNavigate(next);
  });
  const isVideo = entry.type === 'video';
  useEffect(() => {
    if (!isRunning || isHeld) return undefined;
    const media = isVideo ? player.current : null;
    const onEnded = () => showNext(path);
    if (media) {
      // The player of an earlier video may have been paused by the user.
      media.play().catch(() => undefined);
      media.addEventListener('ended', onEnded);
    }
    const delayMs = seconds * 1000 + (isShown ? 0 : maxLoadMs);
    const timer = setInterval(() => {
      const isPlaying = media !== null && media.isConnected && media.error === null;
      if (!isPlaying && !document.hidden && document.querySelector(overlays) === null) showNext(path);
    }, delayMs);
    return () => {
      clearInterval(timer);
      media?.removeEventListener('ended', onEnded);
    };
  }, [isRunning, isHeld, isShown, isVideo, seconds, path, player]);
  useFullScreen(isRunning, () => setRunning(false));
  useWakeLock(isRunning);
  return {
    isRunning,
    isAvailable: next !== null,
    seconds,
    setSeconds: (chosen) => {
      setSeconds(chosen);
      saveSlideSeconds(chosen);
    },
    start: () => setRunning(next !== null),
    pause: () => setRunning(false),
  };
}

/** Shows the page in full screen while `isActive`, and calls `onLeave` when the user leaves it. */
function useFullScreen(isActive: boolean, onLeave: () => void): void {
  const leave = useEffectEvent(onLeave);
  useEffect(() => {
    if (!isActive) return undefined;
    // The whole page instead of the previewer, whose menus and notices are outside of it.
    const page = document.documentElement;
    // Phones without full screen show the slideshow in the page.
    page.requestFullscreen?.().catch(() => undefined);
    let wasFull = document.fullscreenElement !== null;
    const onChange = () => {
      if (document.fullscreenElement !== null) wasFull = true;
      else if (wasFull) leave();
    };
    document.addEventListener('fullscreenchange', onChange);
    return () => {
      document.removeEventListener('fullscreenchange', onChange);
      if (document.fullscreenElement === page) document.exitFullscreen().catch(() => undefined);
    };
  }, [isActive]);
}

/** Keeps the screen on while `isActive`, where the browser allows it. */
function useWakeLock(isActive: boolean): void {
  useEffect(() => {
    if (!isActive || !('wakeLock' in navigator)) return undefined;
    const controller = new AbortController();
    const keepOn = async () => {
      try {
        const lock = await navigator.wakeLock.request('screen');
        if (controller.signal.aborted) await lock.release();
        else controller.signal.addEventListener('abort', () => void lock.release());
      } catch {
        // Refused, for example at a low battery: the screen goes off as usual.
      }
    };
    void keepOn();
    return () => controller.abort();
  }, [isActive]);
}
