/**
 * The sixteen named colours, black to white and then their bright ones. Each keeps at least 4.5 to 1 on the dark ground
 * of the shell, so "black" is a grey.
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

export const namedColour = (number: number): string => named[number] ?? named[7];

/** The steps of one part of a colour in the cube of 216 (xterm, "256 colour" mode). */
const steps = [0, 95, 135, 175, 215, 255] as const;

/** One of the 256 colours: sixteen named ones, a cube of 6 by 6 by 6, and 24 greys (xterm). */
export function colourOfNumber(number: number): string {
  if (number < 16) return namedColour(number);
  if (number >= 232) {
    const grey = 8 + (Math.min(number, 255) - 232) * 10;
    return `rgb(${grey} ${grey} ${grey})`;
  }
  const place = number - 16;
  const parts = [Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6];
  return `rgb(${parts.map((part) => steps[part] ?? 0).join(' ')})`;
}
