import { decodeWhole } from '../../media-types/open-decoder.ts';
import { type CharacterMap, codeKey, decodeUtf16, parseCharacterMap } from './character-map.ts';
import { textOfGlyph } from './glyph-names.ts';
import type { PdfDocument } from './pdf-document.ts';
import { type PdfDictionary, PdfName, PdfStream, type PdfValue, nameText } from './pdf-values.ts';
import { simpleEncoding } from './simple-encodings.ts';

/** A character that a font shows. */
export interface ShownCharacter {
  /** Empty if the file does not say which character it is. */
  readonly text: string;
  /** In thousandths of the font size. */
  readonly width: number;
  /** Whether it is the single byte 32, to which the word spacing applies. */
  readonly isSpace: boolean;
}

/** Converts the codes of shown strings to characters. */
export interface PdfFont {
  decode(codes: Uint8Array): Iterable<ShownCharacter>;
}

/** The width of a character whose width is unknown. */
const defaultWidth = 500;

/** The encodings of predefined CMaps of East Asian fonts by the beginning of their names (ISO 32000-1 §9.7.5.2). */
const charsets: readonly (readonly [pattern: RegExp, charset: string])[] = [
  [/^(?:GBK|GBKp|GB|GBpc|GBK2K)-/, 'gb18030'],
  [/^(?:B5pc|HKscs|ETen|ETenms)-/, 'big5'],
  [/^(?:83pv|90ms|90msp|90pv|Ext)-|^RKSJ/, 'shift_jis'],
  [/^(?:EUC|Add)-/, 'euc-jp'],
  [/^(?:KSC|KSCms|KSCpc)-/, 'euc-kr'],
];

const listOf = (value: PdfValue): readonly PdfValue[] =>
  Array.isArray(value) ? (value as readonly PdfValue[]) : [];

/** Returns the texts of codes by the `ToUnicode` map of a font; null without one. */
function toUnicodeOf(document: PdfDocument, font: PdfDictionary): CharacterMap | null {
  const stream = document.resolve(font.get('ToUnicode'));
  return stream instanceof PdfStream ? parseCharacterMap(document.decode(stream)) : null;
}

/** A font with codes of one byte. */
function openSimpleFont(document: PdfDocument, font: PdfDictionary): PdfFont {
  const map = toUnicodeOf(document, font);
  const encoding = document.resolve(font.get('Encoding'));
  const details = document.dictionary(font.get('Encoding'));
  const isSymbolic =
    encoding === null && /symbol|dingbats/i.test(nameText(document.resolve(font.get('BaseFont'))) ?? '');
  const texts = [
    ...simpleEncoding(nameText(encoding) ?? nameText(document.resolve(details.get('BaseEncoding')))),
  ];
  if (isSymbolic) texts.fill('');
  let code = 0;
  for (const item of listOf(document.resolve(details.get('Differences')))) {
    if (typeof item === 'number') code = item;
    else if (item instanceof PdfName) {
      if (code >= 0 && code < 256) texts[code] = textOfGlyph(item.name);
      code += 1;
    }
  }
  const first = document.resolve(font.get('FirstChar'));
  const widths = listOf(document.resolve(font.get('Widths'))).map((width) => document.resolve(width));
  const scale = nameText(document.resolve(font.get('Subtype'))) === 'Type3' ? type3Scale(document, font) : 1;
  const shown = texts.map((text, byte): ShownCharacter => {
    const width = typeof first === 'number' ? widths[byte - first] : undefined;
    return {
      text: map?.texts.get(codeKey(1, byte)) ?? text,
      width: typeof width === 'number' ? width * scale : defaultWidth,
      isSpace: byte === 32,
    };
  });
  return {
    *decode(codes) {
      for (const byte of codes) yield shown[byte] as ShownCharacter;
    },
  };
}

/** The factor from the glyph space of a Type 3 font to thousandths of the font size. */
function type3Scale(document: PdfDocument, font: PdfDictionary): number {
  const [scale] = listOf(document.resolve(font.get('FontMatrix')));
  return typeof scale === 'number' ? scale * 1000 : 1;
}

/** Returns the widths of glyphs by their number (ISO 32000-1 §9.7.4.3). */
function glyphWidths(document: PdfDocument, descendant: PdfDictionary): Map<number, number> {
  const widths = new Map<number, number>();
  const items = listOf(document.resolve(descendant.get('W'))).map((item) => document.resolve(item));
  for (let i = 0; i < items.length;) {
    const [first, second, third] = [items[i], items[i + 1], items[i + 2]];
    if (typeof first !== 'number') break;
    if (Array.isArray(second)) {
      for (const [offset, width] of (second as readonly PdfValue[]).entries())
        if (typeof width === 'number') widths.set(first + offset, width);
      i += 2;
    } else {
      if (typeof second !== 'number' || typeof third !== 'number') break;
      for (let glyph = first; glyph <= Math.min(second, first + 0xffff); glyph++) widths.set(glyph, third);
      i += 3;
    }
  }
  return widths;
}

/** A font with codes of one or more bytes. */
function openCompositeFont(document: PdfDocument, font: PdfDictionary): PdfFont {
  const encoding = document.resolve(font.get('Encoding'));
  const name = nameText(encoding) ?? '';
  const charset = charsets.find(([pattern]) => pattern.test(name))?.[1];
  const map = toUnicodeOf(document, font);
  if (charset !== undefined && map === null) {
    return {
      *decode(codes) {
        const text = decodeWhole(codes, charset);
        for (const character of text) yield { text: character, width: 1000, isSpace: false };
      },
    };
  }
  const own = encoding instanceof PdfStream ? parseCharacterMap(document.decode(encoding)) : null;
  const lengths = (own ?? map)?.codeLengths;
  const isUnicode = /UCS2|UTF16/.test(name);
  const descendant = document.dictionary(listOf(document.resolve(font.get('DescendantFonts')))[0]);
  const widths = own === null ? glyphWidths(document, descendant) : new Map<number, number>();
  const fallback = document.resolve(descendant.get('DW'));
  const usual = typeof fallback === 'number' ? fallback : 1000;
  return {
    *decode(codes) {
      for (let at = 0; at < codes.length;) {
        // Identity encodings have two bytes, whatever the map of characters declares.
        const length = name.startsWith('Identity') || isUnicode ? 2 : lengths?.[codes[at] ?? 0] || 2;
        let code = 0;
        for (let i = 0; i < length; i++) code = code * 256 + (codes[at + i] ?? 0);
        const text =
          map?.texts.get(codeKey(length, code)) ?? (isUnicode ? decodeUtf16(codes.subarray(at, at + 2)) : '');
        yield { text, width: widths.get(code) ?? usual, isSpace: length === 1 && code === 32 };
        at += length;
      }
    },
  };
}

/** Opens the font that a dictionary describes. */
export const openFont = (document: PdfDocument, font: PdfDictionary): PdfFont =>
  nameText(document.resolve(font.get('Subtype'))) === 'Type0'
    ? openCompositeFont(document, font)
    : openSimpleFont(document, font);
