import { replaceEscapedBytes } from '@filestead/contract/paths/raw-names';

/** Signs that would turn the letters behind them around, so that "exe.png" could be shown for a program (UAX #9). */
const turning = /[\u202A-\u202E\u2066-\u2069]/gu;
/** Signs that move the pen instead of drawing: line ends, tabs and the like. */
const moving = /\p{Cc}/gu;
const isPlain = /^[^\p{Cc}\u202A-\u202E\u2066-\u2069\u{10FE80}-\u{10FEFF}]*$/u;

/** The picture that Unicode has of a control character (block "Control Pictures"). */
function pictureOf(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\uFFFD';
}

/** Text whose letters stand in the order in which they were written. */
export const withoutBidiControls = (text: string): string => text.replace(turning, '\uFFFD');

/** Bytes that are not UTF-8 as programmers write them: `\xE9`. */
const hexOf = (bytes: readonly number[]): string =>
  bytes.map((byte) => `\\x${byte.toString(16).toUpperCase()}`).join('');

/** A name as a person shall see it: what would hide or disguise its letters is drawn as a sign of its own. */
export const displayName = (name: string): string =>
  isPlain.test(name)
    ? name
    : replaceEscapedBytes(withoutBidiControls(name).replace(moving, pictureOf), hexOf);
