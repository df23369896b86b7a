import { storedText, storeText } from '../../../ui/browser-storage.ts';

/** The times for which a picture can be shown, in seconds. */
export const slideSeconds = [3, 5, 10, 20, 60] as const;
const defaultSeconds = 5;
const key = 'filestead.slideSeconds';

/** Returns the time for which each picture of a slideshow is shown in this browser, in seconds. */
export function loadSlideSeconds(): number {
  const stored = Number(storedText(key));
  return slideSeconds.find((seconds) => seconds === stored) ?? defaultSeconds;
}

/** Remembers the time for which each picture is shown, in seconds. */
export const saveSlideSeconds = (seconds: number): void => storeText(key, String(seconds));
