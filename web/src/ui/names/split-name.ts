/** Names up to this length always fit into the narrowest column (240 px) and are not split. */
const maxUnsplitLength = 24;
/** The number of characters kept before the extension, and the maximum length of the end. */
const stemEndLength = 4;
const longestEnd = 12;

/**
 * Splits a long name in two: if it does not fit, the first part is shortened, while the end keeps the distinguishing
 * part, which is the extension and the characters before it. The end is empty for names that need no shortening.
 */
export function splitName(name: string): { start: string; end: string } {
  if (name.length <= maxUnsplitLength) return { start: name, end: '' };
  const dot = name.lastIndexOf('.');
  const extensionLength = dot > 0 ? name.length - dot : 0;
  const length =
    extensionLength > longestEnd - stemEndLength ? stemEndLength : extensionLength + stemEndLength;
  let cut = name.length - length;
  // Not between surrogates, nor between a letter and its combining mark or joined character.
  while (cut > 1 && !isBoundary(name, cut)) cut--;
  return { start: name.slice(0, cut), end: name.slice(cut) };
}

const joiner = 0x200d;
const isJoined = (code: number): boolean =>
  code === joiner || code === 0xfe0f || (code >= 0x1f3fb && code <= 0x1f3ff);

function isBoundary(name: string, index: number): boolean {
  const isLowHalf = (name.charCodeAt(index) & 0xfc00) === 0xdc00;
  const after = name.codePointAt(index) ?? 0;
  return (
    !isLowHalf &&
    name.charCodeAt(index - 1) !== joiner &&
    !isJoined(after) &&
    !/\p{M}/u.test(String.fromCodePoint(after))
  );
}
