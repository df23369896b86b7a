import { PdfLexer } from './pdf-lexer.ts';
import { PdfKeyword, type PdfValue } from './pdf-values.ts';

/** The maximum number of characters of one map. */
const maxCharacters = 200_000;

/** A CMap: the lengths of codes, and their texts (ISO 32000-1 §9.10.3). */
export interface CharacterMap {
  /** The length in bytes of a code by its first byte. */
  readonly codeLengths: Uint8Array;
  /** The text by the length and value of the code, see {@link codeKey}. */
  readonly texts: ReadonlyMap<number, string>;
}

/** Identifies a code by its length in bytes and its value. */
export const codeKey = (length: number, value: number): number => length * 0x1_0000_0000 + value;

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;
const numberOf = (bytes: Uint8Array): number => bytes.reduce((value, byte) => value * 256 + byte, 0);

/** Decodes UTF-16 in big-endian order. NUL and lone surrogates are dropped. */
export const decodeUtf16 = (bytes: Uint8Array): string => {
  let text = '';
  for (let i = 0; i + 1 < bytes.length; i += 2)
    text += String.fromCharCode(((bytes[i] ?? 0) << 8) | (bytes[i + 1] ?? 0));
  return text.replaceAll('\0', '').toWellFormed().replaceAll('\uFFFD', '');
};

/** Returns the text that is `steps` after the last character of `first`. */
function shifted(first: string, steps: number): string {
  const last = first.codePointAt(first.length - (/[\uDC00-\uDFFF]$/.test(first) ? 2 : 1));
  if (last === undefined || last + steps > 0x10ffff) return '';
  const head = first.slice(0, first.length - String.fromCodePoint(last).length);
  return (head + String.fromCodePoint(last + steps)).toWellFormed();
}

/** Parses a CMap. Invalid parts are skipped. */
export function parseCharacterMap(content: Uint8Array): CharacterMap {
  const codeLengths = new Uint8Array(256);
  const texts = new Map<number, string>();
  const add = (length: number, value: number, text: string): void => {
    if (text !== '' && texts.size < maxCharacters) texts.set(codeKey(length, value), text);
  };
  const addRange = (first: Uint8Array, last: Uint8Array, target: PdfValue): void => {
    const start = numberOf(first);
    const end = Math.min(numberOf(last), start + 0xffff);
    for (let code = start; code <= end && texts.size < maxCharacters; code++) {
      if (Array.isArray(target)) {
        const item: unknown = target[code - start];
        if (isBytes(item)) add(first.length, code, decodeUtf16(item));
        else if (code - start >= target.length) return;
      } else if (isBytes(target)) add(first.length, code, shifted(decodeUtf16(target), code - start));
    }
  };
  const handlers: Readonly<Record<string, (operands: readonly PdfValue[]) => void>> = {
    endcodespacerange(operands) {
      for (let i = 0; i + 1 < operands.length; i += 2) {
        const [low, high] = [operands[i], operands[i + 1]];
        if (!isBytes(low) || !isBytes(high)) continue;
        for (let byte = low[0] ?? 0; byte <= (high[0] ?? 0); byte++)
          codeLengths[byte] = Math.min(4, low.length);
      }
    },
    endbfchar(operands) {
      for (let i = 0; i + 1 < operands.length; i += 2) {
        const [code, target] = [operands[i], operands[i + 1]];
        if (isBytes(code) && isBytes(target)) add(code.length, numberOf(code), decodeUtf16(target));
      }
    },
    endbfrange(operands) {
      for (let i = 0; i + 2 < operands.length; i += 3) {
        const [first, last, target] = [operands[i], operands[i + 1], operands[i + 2]];
        if (isBytes(first) && isBytes(last) && target !== undefined) addRange(first, last, target);
      }
    },
  };
  const lexer = new PdfLexer(content, 0, false);
  let operands: PdfValue[] = [];
  for (let item = lexer.next(); item !== undefined; item = lexer.next()) {
    if (!(item instanceof PdfKeyword)) {
      operands.push(item);
      continue;
    }
    if (Object.hasOwn(handlers, item.word)) handlers[item.word]?.(operands);
    operands = [];
  }
  return { codeLengths, texts };
}
