import { replaceEscapedBytes } from '@filestead/contract/paths/raw-names';

/** Bidirectional controls, which could make "exe.png" appear as the name of a program (UAX #9). */
const bidiControls = /[\u202A-\u202E\u2066-\u2069]/gu;
/** Control characters such as line breaks and tabs. */
const controlCharacters = /\p{Cc}/gu;
const isPlain = /^[^\p{Cc}\u202A-\u202E\u2066-\u2069\u{10FE80}-\u{10FEFF}]*$/u;

/** Returns the visible symbol of a control character (Unicode block "Control Pictures"). */
function pictureOf(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\uFFFD';
}

/** Removes characters that change the display order of letters. */
export const withoutBidiControls = (text: string): string => text.replace(bidiControls, '\uFFFD');

/** Formats bytes that are not UTF-8 as `\xE9`. */
const hexOf = (bytes: readonly number[]): string =>
  bytes.map((byte) => `\\x${byte.toString(16).toUpperCase()}`).join('');

/** Returns a name for display: characters that would hide or disguise letters are replaced by visible symbols. */
export const displayName = (name: string): string =>
  isPlain.test(name)
    ? name
    : replaceEscapedBytes(withoutBidiControls(name).replace(controlCharacters, pictureOf), hexOf);
