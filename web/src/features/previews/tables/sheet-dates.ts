const dayMs = 86_400_000;

/** Built-in number formats for dates and times (ECMA-376 part 1, §18.8.30). */
const builtIn: Readonly<Record<number, 'date' | 'time'>> = {
  14: 'date',
  15: 'date',
  16: 'date',
  17: 'date',
  22: 'time',
  27: 'date',
  30: 'date',
  36: 'date',
  50: 'date',
  57: 'date',
};

/** Returns whether numbers in this format are dates, and whether they are shown with a time. */
export function dateFormatOf(id: number, code: string | undefined): 'date' | 'time' | null {
  if (code === undefined) return builtIn[id] ?? null;
  // Quoted words, colors and conditions in brackets, and escaped characters are irrelevant.
  const bare = code.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./gu, '').toLowerCase();
  if (!/[dy]/u.test(bare) || /[#0?]/u.test(bare.replaceAll(/[hs.:0]+/gu, ''))) return null;
  return /h/u.test(bare) ? 'time' : 'date';
}

/**
 * Converts a serial day number to a date in UTC. Days count from 30 December 1899, since spreadsheets treat 1900 as a
 * leap year, or from 1 January 1904. Null outside the range that spreadsheets support.
 */
export function dateOfSerial(serial: number, is1904: boolean): Date | null {
  const epochMs = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  const days = !is1904 && serial < 60 ? serial + 1 : serial;
  if (days < 0 || days > 2_958_466) return null;
  return new Date(epochMs + Math.round(days * dayMs));
}
