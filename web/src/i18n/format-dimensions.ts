import { currentLanguageTag } from './i18n.ts';

/** Formats the width and height of a picture: `4080 × 3072`, in this order also in pages from right to left. */
export function formatDimensions(width: number, height: number): string {
  const pixels = new Intl.NumberFormat(currentLanguageTag(), { useGrouping: false });
  return `\u2066${pixels.format(width)} × ${pixels.format(height)}\u2069`;
}
