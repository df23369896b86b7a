import type { TextSink } from '../extract/text-sink.ts';
import { LimitedMap } from '../../limited-map.ts';
import type { PdfDocument, PdfPage } from './pdf-document.ts';
import { openFont, type PdfFont } from './pdf-font.ts';
import { PdfLexer } from './pdf-lexer.ts';
import {
  isDictionary,
  nameText,
  type PdfDictionary,
  PdfKeyword,
  PdfName,
  PdfReference,
  PdfStream,
  type PdfValue,
} from './pdf-values.ts';

/** The maximum depth of forms in forms, and the maximum number of forms of a document: one may contain itself many times. */
const maxFormDepth = 8;
const maxForms = 20_000;
/** The maximum size of the contents that are being read at once, one within the other, in bytes. */
const maxOpenBytes = 48 * 1024 * 1024;
/** The maximum depth of saved graphics states. */
const maxStates = 512;
/** The maximum number of operands of an operator. */
const maxOperands = 1024;
/** The maximum number of open fonts. */
const maxFonts = 256;

/** Gaps of this fraction of the font size separate words; text that begins further back begins a new word too. */
const wordGap = 0.17;
const backGap = -0.6;
/** Text that is displaced by this fraction of the font size is on another line. */
const lineGap = 0.4;

type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];
const identity: Matrix = [1, 0, 0, 1, 0, 0];

const multiply = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[1] * n[2],
  m[0] * n[1] + m[1] * n[3],
  m[2] * n[0] + m[3] * n[2],
  m[2] * n[1] + m[3] * n[3],
  m[4] * n[0] + m[5] * n[2] + n[4],
  m[4] * n[1] + m[5] * n[3] + n[5],
];

/** The part of the graphics state that determines the position of text. */
interface GraphicsState {
  matrix: Matrix;
  font: PdfFont | null;
  size: number;
  characterSpace: number;
  wordSpace: number;
  /** Horizontal scale; 1 is the normal width. */
  scale: number;
  leading: number;
}

const initialState = (matrix: Matrix): GraphicsState => ({
  matrix,
  font: null,
  size: 1,
  characterSpace: 0,
  wordSpace: 0,
  scale: 1,
  leading: 0,
});

const numberAt = (operands: readonly PdfValue[], index: number): number => {
  const value = operands[index];
  return typeof value === 'number' ? value : 0;
};

const matrixOf = (values: readonly PdfValue[]): Matrix => [
  numberAt(values, 0),
  numberAt(values, 1),
  numberAt(values, 2),
  numberAt(values, 3),
  numberAt(values, 4),
  numberAt(values, 5),
];

/** Collects the text of the pages of one document, with spaces and line breaks where the layout has gaps. */
export class PageText {
  readonly #document: PdfDocument;
  readonly #sink: TextSink;
  readonly #fonts = new LimitedMap<number | PdfDictionary, PdfFont>(maxFonts);
  #forms = 0;
  #openBytes = 0;
  #state = initialState(identity);
  #states: GraphicsState[] = [];
  #textMatrix = identity;
  #lineMatrix = identity;
  /** The end of the last shown text, in the space of the page; null at the beginning of a page. */
  #end: readonly [x: number, y: number] | null = null;

  constructor(document: PdfDocument, sink: TextSink) {
    this.#document = document;
    this.#sink = sink;
  }

  /** Adds the text of a page. */
  add({ contents, resources }: PdfPage): void {
    this.#state = initialState(identity);
    this.#states = [];
    this.#end = null;
    this.#sink.space('\n');
    this.#openBytes = 0;
    // The content of a page may be divided between any two tokens.
    const parts = contents.flatMap((stream) => [this.#document.decode(stream), Uint8Array.of(0x0a)]);
    this.#run(Buffer.concat(parts), resources, 0);
  }

  #run(content: Uint8Array, resources: PdfDictionary, depth: number): void {
    if (this.#openBytes + content.length > maxOpenBytes) return;
    this.#openBytes += content.length;
    this.#interpret(content, resources, depth);
    this.#openBytes -= content.length;
  }

  #interpret(content: Uint8Array, resources: PdfDictionary, depth: number): void {
    const lexer = new PdfLexer(content, 0, false);
    let operands: PdfValue[] = [];
    for (let item = lexer.next(); item !== undefined && !this.#sink.isFull; item = lexer.next()) {
      if (!(item instanceof PdfKeyword)) {
        if (operands.length < maxOperands) operands.push(item);
        continue;
      }
      if (item.word === 'BI') skipInlineImage(content, lexer);
      else if (item.word === 'Do') this.#showForm(operands, resources, depth);
      else if (item.word === 'Tf') this.#setFont(operands, resources);
      else this.#operate(item.word, operands);
      operands = [];
    }
  }

  #operate(operator: string, operands: readonly PdfValue[]): void {
    const state = this.#state;
    switch (operator) {
      case 'q':
        if (this.#states.length < maxStates) this.#states.push({ ...state });
        break;
      case 'Q':
        this.#state = this.#states.pop() ?? state;
        break;
      case 'cm':
        state.matrix = multiply(matrixOf(operands), state.matrix);
        break;
      case 'BT':
        this.#setLine(identity);
        break;
      case 'Tc':
        state.characterSpace = numberAt(operands, 0);
        break;
      case 'Tw':
        state.wordSpace = numberAt(operands, 0);
        break;
      case 'Tz':
        state.scale = numberAt(operands, 0) / 100;
        break;
      case 'TL':
        state.leading = numberAt(operands, 0);
        break;
      case 'Td':
        this.#moveLine(numberAt(operands, 0), numberAt(operands, 1));
        break;
      case 'TD':
        state.leading = -numberAt(operands, 1);
        this.#moveLine(numberAt(operands, 0), numberAt(operands, 1));
        break;
      case 'Tm':
        this.#setLine(matrixOf(operands));
        break;
      case 'T*':
        this.#moveLine(0, -state.leading);
        break;
      case 'Tj':
        this.#show(operands[0]);
        break;
      case "'":
        this.#moveLine(0, -state.leading);
        this.#show(operands[0]);
        break;
      case '"':
        state.wordSpace = numberAt(operands, 0);
        state.characterSpace = numberAt(operands, 1);
        this.#moveLine(0, -state.leading);
        this.#show(operands[2]);
        break;
      case 'TJ':
        this.#showParts(operands[0]);
        break;
      default:
    }
  }

  #setLine(matrix: Matrix): void {
    this.#textMatrix = matrix;
    this.#lineMatrix = matrix;
  }

  #moveLine(x: number, y: number): void {
    this.#setLine(multiply([1, 0, 0, 1, x, y], this.#lineMatrix));
  }

  #setFont(operands: readonly PdfValue[], resources: PdfDictionary): void {
    const [name] = operands;
    this.#state.size = numberAt(operands, 1);
    if (!(name instanceof PdfName)) return;
    const value = this.#document.dictionary(resources.get('Font')).get(name.name);
    const dictionary = this.#document.dictionary(value);
    const key = value instanceof PdfReference ? value.number : dictionary;
    let font = this.#fonts.get(key);
    if (font === undefined) {
      font = openFont(this.#document, dictionary);
      this.#fonts.set(key, font);
    }
    this.#state.font = font;
  }

  #showParts(parts: PdfValue | undefined): void {
    if (!Array.isArray(parts)) return;
    const { size, scale } = this.#state;
    for (const part of parts as readonly PdfValue[]) {
      if (typeof part === 'number') this.#advance((-part / 1000) * size * scale);
      else this.#show(part);
    }
  }

  #advance(x: number): void {
    this.#textMatrix = multiply([1, 0, 0, 1, x, 0], this.#textMatrix);
  }

  #show(codes: PdfValue | undefined): void {
    const { font, size, scale, characterSpace, wordSpace } = this.#state;
    if (!(codes instanceof Uint8Array) || font === null) return;
    let text = '';
    let width = 0;
    for (const { text: character, width: glyphWidth, isSpace } of font.decode(codes)) {
      text += character;
      width += ((glyphWidth / 1000) * size + characterSpace + (isSpace ? wordSpace : 0)) * scale;
    }
    if (text !== '') this.#separate();
    this.#sink.add(text);
    this.#advance(width);
    const [, , , , x, y] = multiply(this.#textMatrix, this.#state.matrix);
    if (text !== '') this.#end = [x, y];
  }

  /** Adds a space or a line break if the text that follows is not directly behind the last one. */
  #separate(): void {
    const [a, b, , , x, y] = multiply(this.#textMatrix, this.#state.matrix);
    const end = this.#end;
    const length = Math.hypot(a, b);
    const size = length * Math.abs(this.#state.size);
    if (end === null || !(size > 0)) {
      this.#sink.space();
      return;
    }
    const [right, up] = [a / length, b / length];
    const [dx, dy] = [x - end[0], y - end[1]];
    const along = dx * right + dy * up;
    const across = dy * right - dx * up;
    if (Math.abs(across) > lineGap * size) {
      if (!this.#sink.joinHyphen()) this.#sink.space('\n');
    } else if (along > wordGap * size || along < backGap * size) this.#sink.space();
  }

  #showForm(operands: readonly PdfValue[], resources: PdfDictionary, depth: number): void {
    const [name] = operands;
    if (!(name instanceof PdfName) || depth >= maxFormDepth || this.#forms >= maxForms) return;
    const form = this.#document.resolve(this.#document.dictionary(resources.get('XObject')).get(name.name));
    if (
      !(form instanceof PdfStream) ||
      nameText(this.#document.resolve(form.dictionary.get('Subtype'))) !== 'Form'
    )
      return;
    this.#forms += 1;
    const saved = { ...this.#state };
    const states = this.#states;
    const matrix = this.#document.resolve(form.dictionary.get('Matrix'));
    if (Array.isArray(matrix))
      this.#state.matrix = multiply(matrixOf(matrix as readonly PdfValue[]), this.#state.matrix);
    const own = this.#document.resolve(form.dictionary.get('Resources'));
    this.#states = [];
    this.#run(this.#document.decode(form), isDictionary(own) ? own : resources, depth + 1);
    this.#states = states;
    this.#state = saved;
  }
}

/** Skips the rest of an image in a content stream: its dictionary up to `ID`, and its bytes up to `EI`. */
function skipInlineImage(content: Uint8Array, lexer: PdfLexer): void {
  for (let item = lexer.next(); item !== undefined; item = lexer.next())
    if (item instanceof PdfKeyword && item.word === 'ID') break;
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const isSpace = (byte: number | undefined): boolean => byte === undefined || byte <= 0x20;
  for (let at = bytes.indexOf('EI', lexer.position); at >= 0; at = bytes.indexOf('EI', at + 1)) {
    if (!isSpace(bytes[at - 1]) || !isSpace(bytes[at + 2])) continue;
    lexer.position = at + 2;
    return;
  }
  lexer.position = content.length;
}
