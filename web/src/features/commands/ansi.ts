import { withoutBidiControls } from '../../i18n/display-name.ts';
import { colorOfNumber, namedColor } from './ansi-colors.ts';

/** The style of a span. Colors are CSS colors; absent ones are the panel's own. */
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

/** A piece of a line with one style. */
export interface Span {
  readonly text: string;
  readonly style: AnsiStyle;
}

/** The panel's own style. */
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
/** Control characters other than the tab. */
const controls = /(?!\t)\p{Cc}/gu;
/** Returns the printable characters of a string, in the order in which the program wrote them. */
const visible = (text: string): string => withoutBidiControls(text.replace(controls, ''));
const hasControls = (line: string): boolean =>
  [escape, '\r', '\b'].some((character) => line.includes(character));

interface Cell {
  readonly character: string;
  readonly style: AnsiStyle;
}

const blankCells = (count: number): Cell[] =>
  Array.from({ length: count }, () => ({ character: ' ', style: plain }));

/** A line whose cells can be overwritten, as a terminal does after a carriage return. */
class LineBuffer {
  readonly #cells: Cell[] = [];
  #column = 0;

  write(text: string, style: AnsiStyle): void {
    for (const character of text) {
      this.#cells[this.#column] = { character, style };
      this.#column += 1;
    }
  }

  moveTo(column: number): void {
    this.#column = Math.min(Math.max(column, 0), this.#cells.length);
  }

  move(by: number): void {
    this.moveTo(this.#column + by);
  }

  /** Erases from here to the end (`0`), from the start to here (`1`), or everything (`2`). */
  erase(part: number): void {
    if (part === 0) this.#cells.length = this.#column;
    else if (part === 1) this.#cells.splice(0, this.#column, ...blankCells(this.#column));
    else this.#cells.splice(0, Infinity, ...blankCells(this.#cells.length));
  }

  spans(): Span[] {
    const spans: { text: string; style: AnsiStyle }[] = [];
    for (const { character, style } of this.#cells) {
      const last = spans.at(-1);
      if (last?.style === style) last.text += character;
      else spans.push({ text: character, style });
    }
    return spans;
  }
}

/** Parses the lines of a program as a terminal does: styles apply to the following lines until they are reset. */
export class AnsiReader {
  #style: AnsiStyle = plain;

  /** Parses one line into spans. Other escape sequences are omitted. */
  read(line: string): readonly Span[] {
    if (!hasControls(line)) {
      const text = visible(line);
      return text === '' ? [] : [{ text, style: this.#style }];
    }
    const buffer = new LineBuffer();
    let start = 0;
    for (const match of line.matchAll(sequence)) {
      buffer.write(visible(line.slice(start, match.index)), this.#style);
      start = match.index + match[0].length;
      this.#apply(buffer, match[0], match[1], match[2]);
    }
    buffer.write(visible(line.slice(start)), this.#style);
    return buffer.spans();
  }

  /** Skips a line that is not shown, but applies the styles that it sets. */
  skip(line: string): void {
    if (line.includes(escape)) this.read(line);
  }

  #apply(buffer: LineBuffer, control: string, parameters = '', final = ''): void {
    const first = Number.parseInt(parameters, 10);
    const count = Number.isNaN(first) ? 1 : first;
    if (control === '\r') buffer.moveTo(0);
    else if (control === '\b' || final === 'D') buffer.move(-count);
    else if (final === 'C') buffer.move(count);
    else if (final === 'G') buffer.moveTo(count - 1);
    else if (final === 'K') buffer.erase(Number.isNaN(first) ? 0 : first);
    else if (final === 'm') this.#style = applyRendition(this.#style, parameters);
  }
}

/** The attributes that a parameter of "select graphic rendition" sets. */
const sets: Readonly<Record<number, (keyof AnsiStyle)[]>> = {
  1: ['isBold'],
  2: ['isDim'],
  3: ['isItalic'],
  4: ['isUnderlined'],
  7: ['isInverse'],
  8: ['isHidden'],
  9: ['isStruck'],
  21: ['isUnderlined'],
};
/** The attributes that a parameter resets. */
const resets: Readonly<Record<number, (keyof AnsiStyle)[]>> = {
  22: ['isBold', 'isDim'],
  23: ['isItalic'],
  24: ['isUnderlined'],
  27: ['isInverse'],
  28: ['isHidden'],
  29: ['isStruck'],
  39: ['color'],
  49: ['background'],
};

/** Applies "select graphic rendition" to `style` (ECMA-48 §8.3.117; colors as in ITU-T T.416 and common terminals). */
function applyRendition(style: AnsiStyle, parameters: string): AnsiStyle {
  let next: Record<string, string | boolean> = { ...style };
  const numbers = parameters.split(/[;:]/).map((part) => (part === '' ? 0 : Number(part)));
  for (let index = 0; index < numbers.length; index += 1) {
    const code = numbers[index] ?? 0;
    if (code === 0) next = {};
    for (const key of sets[code] ?? []) next[key] = true;
    for (const key of resets[code] ?? []) delete next[key];
    const isForeground = (code >= 30 && code <= 38) || (code >= 90 && code <= 97);
    const isBackground = (code >= 40 && code <= 48) || (code >= 100 && code <= 107);
    if (!isForeground && !isBackground) continue;
    const key = isForeground ? 'color' : 'background';
    if (code === 38 || code === 48) {
      const { color, length } = extendedColor(numbers.slice(index + 1));
      index += length;
      if (color !== null) next[key] = color;
    } else next[key] = namedColor((code % 10) + (code >= 90 ? 8 : 0));
  }
  return Object.keys(next).length === 0 ? plain : (next as AnsiStyle);
}

/**
 * Parses an extended color: `5;n` is one of 256 colors, `2;r;g;b` any color. `length` is the number of parameters
 * that belong to it.
 */
function extendedColor([kind, ...values]: readonly number[]): { color: string | null; length: number } {
  if (kind === 5) return { color: colorOfNumber(values[0] ?? 0), length: 2 };
  if (kind !== 2) return { color: null, length: 1 };
  const parts = [0, 1, 2].map((index) => Math.min(255, values[index] ?? 0));
  return { color: `rgb(${parts.join(' ')})`, length: 4 };
}
