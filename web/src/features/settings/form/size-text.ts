/** Binary units, as for upload chunks: 10MB is 10 × 1024 × 1024 bytes. */
const units = ['B', 'KB', 'MB', 'GB'] as const;

/** Parses a size such as `10MB`, `512 KiB` or `1048576` into bytes; null if it is invalid. */
export function parseSizeText(text: string): number | null {
  const match = /^\s*(\d+(?:[.,]\d+)?)\s*(?:([kmg])i?b?|b)?\s*$/iu.exec(text);
  if (match === null) return null;
  const [, number = '', unit = ''] = match;
  const power = { '': 0, k: 1, m: 2, g: 3 }[unit.toLowerCase()] ?? 0;
  const bytes = Math.round(Number(number.replace(',', '.')) * 1024 ** power);
  return Number.isSafeInteger(bytes) && bytes >= 1 ? bytes : null;
}

/** Formats a size in the largest unit that needs no fraction. */
export function sizeText(bytes: number): string {
  let power = 0;
  let value = bytes;
  while (value >= 1024 && value % 1024 === 0 && power < units.length - 1) {
    value /= 1024;
    power += 1;
  }
  return `${value}${units[power] ?? 'B'}`;
}
