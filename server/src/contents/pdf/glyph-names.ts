/**
 * Names of glyphs with their characters (Adobe Glyph List), for those of Latin text. Names of single letters, `uni0041` and the
 * Cyrillic `afii10017` follow rules.
 */
const characters = new Map<string, string>();

const accents: Readonly<Record<string, string>> = {
  grave: '\u0300',
  acute: '\u0301',
  circumflex: '\u0302',
  tilde: '\u0303',
  macron: '\u0304',
  breve: '\u0306',
  dotaccent: '\u0307',
  dieresis: '\u0308',
  ring: '\u030A',
  hungarumlaut: '\u030B',
  caron: '\u030C',
  cedilla: '\u0327',
  commaaccent: '\u0327',
  ogonek: '\u0328',
};
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
  for (const [name, accent] of Object.entries(accents)) {
    const composed = (letter + accent).normalize('NFC');
    if (composed.length === 1) characters.set(letter + name, composed);
  }
const greek =
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho . Sigma Tau Upsilon Phi Chi Psi Omega';
for (const [i, name] of greek.split(' ').entries()) {
  if (name === '.') continue;
  characters.set(name, String.fromCharCode(0x391 + i));
  characters.set(name.toLowerCase(), String.fromCharCode(0x3b1 + i));
}
const listed =
  'space=  exclam=! quotedbl=" numbersign=# dollar=$ percent=% ampersand=& quotesingle=\' parenleft=( parenright=) asterisk=* ' +
  'plus=+ comma=, hyphen=- minus=− period=. slash=/ zero=0 one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ' +
  'colon=: semicolon=; less=< equal== greater=> question=? at=@ bracketleft=[ backslash=\\ bracketright=] asciicircum=^ ' +
  'underscore=_ grave=` braceleft={ bar=| braceright=} asciitilde=~ exclamdown=¡ cent=¢ sterling=£ fraction=⁄ yen=¥ florin=ƒ ' +
  'section=§ currency=¤ quotedblleft=“ guillemotleft=« guilsinglleft=‹ guilsinglright=› fi=fi fl=fl ff=ff ffi=ffi ffl=ffl ' +
  'endash=– dagger=† daggerdbl=‡ periodcentered=· paragraph=¶ bullet=• quotesinglbase=‚ quotedblbase=„ quotedblright=” ' +
  'guillemotright=» ellipsis=… perthousand=‰ questiondown=¿ emdash=— AE=Æ ordfeminine=ª Lslash=Ł Oslash=Ø OE=Œ ordmasculine=º ' +
  'ae=æ dotlessi=ı lslash=ł oslash=ø oe=œ germandbls=ß quoteleft=‘ quoteright=’ Euro=€ copyright=© registered=® trademark=™ ' +
  'degree=° plusminus=± multiply=× divide=÷ onehalf=½ onequarter=¼ threequarters=¾ onesuperior=¹ twosuperior=² threesuperior=³ ' +
  'mu=µ Eth=Ð eth=ð Thorn=Þ thorn=þ Dcroat=Đ dcroat=đ Hbar=Ħ hbar=ħ Tbar=Ŧ tbar=ŧ Eng=Ŋ eng=ŋ IJ=IJ ij=ij kgreenlandic=ĸ ' +
  'longs=ſ sigma1=ς nbspace=  sfthyphen=  infinity=∞ notequal=≠ lessequal=≤ greaterequal=≥ ';
for (const [, name = '', character = ''] of listed.matchAll(/(\w+)=([^ ]+| ) /g))
  characters.set(name, character);

/** The Cyrillic letters А to Я with Ё, and а to я with ё, in the order of their `afii` numbers. */
const cyrillic = 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ';
for (const [i, letter] of Array.from(cyrillic).entries()) {
  characters.set(`afii${10_017 + i}`, letter);
  characters.set(`afii${10_065 + i}`, letter.toLowerCase());
}

const maxCodePoint = 0x10ffff;
const fromCodePoint = (code: number): string =>
  code > 0 && code <= maxCodePoint ? String.fromCodePoint(code) : '';

/** Returns the text of one component of a glyph name; empty if it is unknown. */
function textOfComponent(name: string): string {
  const known = characters.get(name);
  if (known !== undefined) return known;
  if (/^[A-Za-z]$/.test(name)) return name;
  if (/^uni(?:[\dA-F]{4})+$/.test(name))
    return (name.slice(3).match(/.{4}/g) ?? []).map((code) => fromCodePoint(parseInt(code, 16))).join('');
  return /^u[\dA-F]{4,6}$/.test(name) ? fromCodePoint(parseInt(name.slice(1), 16)) : '';
}

/** Returns the text of a glyph by its name, such as `Adieresis`, `f_i` or `uni0416.alt`; empty if it is unknown. */
export const textOfGlyph = (name: string): string =>
  (name.split('.', 1)[0] ?? '').split('_').map(textOfComponent).join('');
