/**
 * The sixteen named colors: black to white, then their bright variants. Each has a contrast of at least 4.5 to 1 on
 * the dark background of the shell, so "black" is a gray.
 */
const named = [
  '#8b939e',
  '#ff8a85',
  '#6fcf97',
  '#e5b45a',
  '#7aa7ff',
  '#e38fd2',
  '#63cdda',
  '#d5dae0',
  '#a3abb5',
  '#ffa5a1',
  '#8ee0b0',
  '#f5cf85',
  '#a6c6ff',
  '#f0b3e4',
  '#92e3ec',
  '#ffffff',
] as const;

/** Returns one of the sixteen named colors; white for any other number. */
export const namedColor = (number: number): string => named[number] ?? named[7];

/** The levels of one channel in the 6×6×6 color cube (xterm, 256-color mode). */
const steps = [0, 95, 135, 175, 215, 255] as const;

/** Returns one of the 256 colors: sixteen named ones, a 6×6×6 cube and 24 grays (xterm). */
export function colorOfNumber(number: number): string {
  if (number < 16) return namedColor(number);
  if (number >= 232) {
    const gray = 8 + (Math.min(number, 255) - 232) * 10;
    return `rgb(${gray} ${gray} ${gray})`;
  }
  const cubeIndex = number - 16;
  const channels = [Math.floor(cubeIndex / 36), Math.floor(cubeIndex / 6) % 6, cubeIndex % 6];
  return `rgb(${channels.map((channel) => steps[channel] ?? 0).join(' ')})`;
}
