/** Returns the encoding of a text that begins with a byte order mark of UTF-16; null without one. */
export function utf16ByMark(text: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first, second] = text;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}
