import { decodeWhole } from '../../media-types/open-decoder.ts';
import { textOfGlyph } from './glyph-names.ts';

/** The characters of the codes 0 to 255; empty for codes without one. */
export type SimpleEncoding = readonly string[];

const decodeAll = (encoding: string): SimpleEncoding =>
  Array.from({ length: 256 }, (_, code) => (code < 32 ? '' : decodeWhole(Uint8Array.of(code), encoding)));

/** The codes of `StandardEncoding` from 0xA1 that have a glyph (ISO 32000-1 §D.2); `.` for codes without one. */
const standardUpper =
  'exclamdown cent sterling fraction yen florin section currency quotesingle quotedblleft guillemotleft guilsinglleft guilsinglright fi fl ' +
  '. endash dagger daggerdbl periodcentered . paragraph bullet quotesinglbase quotedblbase quotedblright guillemotright ellipsis perthousand . questiondown ' +
  '. grave acute circumflex tilde macron breve dotaccent dieresis . ring cedilla . hungarumlaut ogonek caron emdash ' +
  '. . . . . . . . . . . . . . . . AE . ordfeminine . . . . Lslash Oslash OE ordmasculine . . . . . ae . . . dotlessi . . lslash oslash oe germandbls';

function standard(): SimpleEncoding {
  const upper = standardUpper.split(' ');
  return Array.from({ length: 256 }, (_, code) => {
    if (code === 0x27) return '’';
    if (code === 0x60) return '‘';
    if (code < 0x7f) return code < 32 ? '' : String.fromCharCode(code);
    const name = upper[code - 0xa1];
    return name === undefined || name === '.' ? '' : textOfGlyph(name);
  });
}

const builders: Readonly<Record<string, () => SimpleEncoding>> = {
  WinAnsiEncoding: () => decodeAll('windows-1252'),
  MacRomanEncoding: () => decodeAll('macintosh'),
  StandardEncoding: standard,
};
const built = new Map<string, SimpleEncoding>();

/** Returns an encoding by its name in a PDF file; that of Adobe’s standard for others. */
export function simpleEncoding(name: string | null): SimpleEncoding {
  const key = name !== null && Object.hasOwn(builders, name) ? name : 'StandardEncoding';
  let encoding = built.get(key);
  if (encoding === undefined) {
    encoding = (builders[key] ?? standard)();
    built.set(key, encoding);
  }
  return encoding;
}
