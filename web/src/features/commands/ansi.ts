import { withoutBidiControls } from '../../i18n/display-name.ts';
import { colourOfNumber, namedColour } from './ansi-colours.ts';

/** How a piece of a line looks. Colours are CSS colours; absent means the panel's own. */
export interface AnsiStyle {
  readonly color?: string;
  readonly background?: string;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
  readonly isItalic?: boolean;
  readonly isUnderlined?: boolean;
  readonly isStruck?: boolean;
  readonly isInverse?: boolean;
  readonly isHidden?: boolean;
}

/** A piece of a line that looks the same throughout. */
export interface Span {
  readonly text: string;
  readonly style: AnsiStyle;
}

/** The panel's own look. */
export const plain: AnsiStyle = {};

const escape = '\u001B';
// Escape sequences (ECMA-48 §5.4, §8.3): CSI with its parameters, strings such as titles and links, and shorter ones.
const sequence = new RegExp(
  [
    String.raw`${escape}\[([0-9:;<=>?]*)[ -/]*([@-~])`,
    String.raw`${escape}[\]PX^_](?:(?!\x07|${escape}).)*(?:\x07|${escape}\\)?`,
    String.raw`${escape}[ -/]*[0-Z\\^-~]`,
    String.raw`[\r\x08]`,
  ].join('|'),
  'gsu',
);
/** Controls other than the tab. */
const controls = /(?!\t)\p{Cc}/gu;
/** What is drawn of a text: its signs, in the order in which the program wrote them. */
const visible = (text: string): string => withoutBidiControls(text.replace(controls, ''));
const needsCanvas = (line: string): boolean => [escape, '\r', '\b'].some((sign) => line.includes(sign));

interface Cell {
  readonly sign: string;
  readonly style: AnsiStyle;
}

const blankCells = (count: number): Cell[] =>
  Array.from({ length: count }, () => ({ sign: ' ', style: plain }));

/** A line that is written onto from a place in it, as a terminal does after a carriage return. */
class Canvas {
  readonly #cells: Cell[] = [];
  #column = 0;

  write(text: string, style: AnsiStyle): void {
    for (const sign of text) {
      this.#cells[this.#column] = { sign, style };
      this.#column += 1;
    }
  }

  moveTo(column: number): void {
    this.#column = Math.min(Math.max(column, 0), this.#cells.length);
  }

  move(by: number): void {
    this.moveTo(this.#column + by);
  }

  /** `0`: from here to the end, `1`: from the start to here, `2`: all. */
  erase(part: number): void {
    if (part === 0) this.#cells.length = this.#column;
    else if (part === 1) this.#cells.splice(0, this.#column, ...blankCells(this.#column));
    else this.#cells.splice(0, Infinity, ...blankCells(this.#cells.length));
  }

  spans(): Span[] {
    const spans: { text: string; style: AnsiStyle }[] = [];
    for (const { sign, style } of this.#cells) {
      const last = spans.at(-1);
      if (last?.style === style) last.text += sign;
      else spans.push({ text: sign, style });
    }
    return spans;
  }
}

/** Reads lines of a program as a terminal does: colours last from line to line until they are taken back. */
export class AnsiReader {
  #style: AnsiStyle = plain;

  /** The pieces of one line. Whatever is no text and no look is left out. */
  read(line: string): readonly Span[] {
    if (!needsCanvas(line)) {
      const text = visible(line);
      return text === '' ? [] : [{ text, style: this.#style }];
    }
    const canvas = new Canvas();
    let start = 0;
    for (const found of line.matchAll(sequence)) {
      canvas.write(visible(line.slice(start, found.index)), this.#style);
      start = found.index + found[0].length;
      this.#obey(canvas, found[0], found[1], found[2]);
    }
    canvas.write(visible(line.slice(start)), this.#style);
    return canvas.spans();
  }

  /** Goes past a line that nobody will see: the colours that it leaves behind count all the same. */
  skip(line: string): void {
    if (line.includes(escape)) this.read(line);
  }

  #obey(canvas: Canvas, sign: string, parameters = '', final = ''): void {
    const first = Number.parseInt(parameters, 10);
    const count = Number.isNaN(first) ? 1 : first;
    if (sign === '\r') canvas.moveTo(0);
    else if (sign === '\b' || final === 'D') canvas.move(-count);
    else if (final === 'C') canvas.move(count);
    else if (final === 'G') canvas.moveTo(count - 1);
    else if (final === 'K') canvas.erase(Number.isNaN(first) ? 0 : first);
    else if (final === 'm') this.#style = styled(this.#style, parameters);
  }
}

/** The looks that a number of "select graphic rendition" puts on or takes away. */
const changes: Readonly<Record<number, (keyof AnsiStyle)[]>> = {
  1: ['isBold'],
  2: ['isDim'],
  3: ['isItalic'],
  4: ['isUnderlined'],
  7: ['isInverse'],
  8: ['isHidden'],
  9: ['isStruck'],
  21: ['isUnderlined'],
};
const ends: Readonly<Record<number, (keyof AnsiStyle)[]>> = {
  22: ['isBold', 'isDim'],
  23: ['isItalic'],
  24: ['isUnderlined'],
  27: ['isInverse'],
  28: ['isHidden'],
  29: ['isStruck'],
  39: ['color'],
  49: ['background'],
};

/** `style` after "select graphic rendition" (ECMA-48 §8.3.117; colours as ITU-T T.416 and terminals write them). */
function styled(style: AnsiStyle, parameters: string): AnsiStyle {
  let next: Record<string, string | boolean> = { ...style };
  const numbers = parameters.split(/[;:]/).map((part) => (part === '' ? 0 : Number(part)));
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0;
    if (code === 0) next = {};
    for (const key of changes[code] ?? []) next[key] = true;
    for (const key of ends[code] ?? []) delete next[key];
    const isText = (code >= 30 && code <= 38) || (code >= 90 && code <= 97);
    const isGround = (code >= 40 && code <= 48) || (code >= 100 && code <= 107);
    if (!isText && !isGround) continue;
    const key = isText ? 'color' : 'background';
    if (code === 38 || code === 48) {
      const { colour, length } = extendedColour(numbers.slice(at + 1));
      at += length;
      if (colour !== null) next[key] = colour;
    } else next[key] = namedColour((code % 10) + (code >= 90 ? 8 : 0));
  }
  return Object.keys(next).length === 0 ? plain : (next as AnsiStyle);
}

/** `5;n` is one of 256 colours, `2;r;g;b` any colour. `length`: how many numbers belong to it. */
function extendedColour([kind, ...values]: readonly number[]): { colour: string | null; length: number } {
  if (kind === 5) return { colour: colourOfNumber(values[0] ?? 0), length: 2 };
  if (kind !== 2) return { colour: null, length: 1 };
  const parts = [0, 1, 2].map((index) => Math.min(255, values[index] ?? 0));
  return { colour: `rgb(${parts.join(' ')})`, length: 4 };
}
