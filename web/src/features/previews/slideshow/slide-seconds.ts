/** The times for which a picture can be shown, in seconds. */
export const slideSeconds = [3, 5, 10, 20, 60] as const;
const defaultSeconds = 5;
const key = 'filestead.slideSeconds';

/** Returns the time for which each picture of a slideshow is shown in this browser, in seconds. */
export function loadSlideSeconds(): number {
  try {
    const stored = Number(localStorage.getItem(key));
    return slideSeconds.find((seconds) => seconds === stored) ?? defaultSeconds;
  } catch {
    return defaultSeconds;
  }
}

/** Remembers the time for which each picture is shown, in seconds. */
export function saveSlideSeconds(seconds: number): void {
  try {
    localStorage.setItem(key, String(seconds));
  } catch {
    // Without storage the choice applies to this slideshow only.
  }
}
