import { deflateSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { randomOf } from '../../../test/random.ts';
import { extractText } from '../extract/extract-text.ts';
import { makePage, makePdf, pdfStream } from '../contents-testing.ts';

const read = async (pdf: Buffer): Promise<string> => (await extractText(pdf, 'pdf')).trim();
const show = (operators: string): Promise<string> => read(makePage(`BT /F1 10 Tf ${operators} ET`));

/** A font with two-byte codes and this map of characters. */
const composite = (map: string): { 6: string; 7: string; 8: Buffer } => ({
  6: '<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /Identity-H /DescendantFonts [7 0 R] /ToUnicode 8 0 R >>',
  7: '<< /Type /Font /Subtype /CIDFontType2 /DW 500 /W [1 [600 600] 10 12 400] >>',
  8: pdfStream(map),
});

describe('the text of a PDF page', () => {
  it('is decoded by the encoding of its font', async () => {
    expect(await show('(Caf\\351 \\200 \\(a\\\\b\\)) Tj')).toBe('Café € (a\\b)');
    const differences =
      '<< /Type /Font /Subtype /Type1 /BaseFont /X /Encoding << /Differences [65 /Zcaron /uni0416 /f_i /afii10017 /unknown.x] >> >>';
    expect(await read(makePage('BT /F2 10 Tf (ABCDE) Tj ET', '/F2 6 0 R', { 6: differences }))).toBe('ŽЖfiА');
  });

  it('is decoded by its map of characters', async () => {
    const map =
      '1 begincodespacerange <0000> <ffff> endcodespacerange 2 beginbfchar <0001> <00480069> <0002> <d83dde00> endbfchar ' +
      '2 beginbfrange <000a> <000c> <0061> <0010> <0011> [<0416> <0436>] endbfrange';
    const page = makePage('BT /F2 10 Tf <00010002000a000b000c00100011> Tj ET', '/F2 6 0 R', composite(map));
    expect(await read(page)).toBe('Hi😀abcЖж');
  });

  it('is decoded by the predefined maps of East Asian fonts', async () => {
    const font = (encoding: string): string =>
      `<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /${encoding} /DescendantFonts [<< /DW 1000 >>] >>`;
    expect(await read(makePage('BT /F2 10 Tf <8ECA> Tj ET', '/F2 6 0 R', { 6: font('UniJIS-UCS2-H') }))).toBe(
      '車',
    );
    expect(
      await read(makePage('BT /F2 10 Tf <93fa967b> Tj ET', '/F2 6 0 R', { 6: font('90ms-RKSJ-H') })),
    ).toBe('日本');
  });

  it('has spaces and lines where the layout has gaps', async () => {
    expect(await show('[(Hel) 20 (lo) -300 (world)] TJ')).toBe('Hello world');
    expect(await show('(one) Tj 0 -12 Td (two) Tj T* (three) Tj')).toBe('one\ntwo three');
    expect(await show('12 TL (one) Tj (two) \' 1 2 (three) " T* [(four)] TJ')).toBe('one\ntwo\nthree\nfour');
    // Each word has a position of its own: the second begins where the first ends, the third behind a gap.
    expect(await show('1 0 0 1 0 0 Tm (ab) Tj 1 0 0 1 10 0 Tm (cd) Tj 1 0 0 1 25 0 Tm (ef) Tj')).toBe(
      'abcd ef',
    );
    expect(await show('(a hyphen-) Tj 0 -12 Td (ated word) Tj')).toBe('a hyphenated word');
  });

  it('includes forms, and a form in itself only up to a depth', async () => {
    const form = pdfStream('BT /F1 10 Tf (form) Tj ET /X1 Do', '/Type /XObject /Subtype /Form');
    const text = await read(makePage('/X1 Do /X1 Do', '', { 9: form }));
    expect(text.match(/form/g)?.length).toBe(2 * 8);
  });

  it('is not read from pictures in the page', async () => {
    expect(await read(makePage('BI /W 2 /H 2 ID (no) Tj EI BT /F1 10 Tf (yes) Tj ET'))).toBe('yes');
  });
});

describe('the objects of a PDF', () => {
  const pages = (contents: string | Buffer): Record<number, string | Buffer> => ({
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: '<< /Type /Pages /Kids [3 0 R] /Resources << /Font << /F1 5 0 R >> >> >>',
    3: '<< /Type /Page /Contents [4 0 R 4 0 R] >>',
    4: contents,
    5: '<< /Type /Font /Subtype /TrueType /BaseFont /Arial >>',
  });
  const content = 'BT /F1 10 Tf (text) Tj ET ';

  it.each<[string, string, Buffer]>([
    [
      'hexadecimal digits',
      '/Filter /ASCIIHexDecode',
      Buffer.from(`${Buffer.from(content).toString('hex')}>`),
    ],
    [
      'run lengths',
      '/Filter [/RL]',
      Buffer.concat([Buffer.from([content.length - 1]), Buffer.from(content), Buffer.from([128])]),
    ],
    ['ASCII85', '/Filter /ASCII85Decode', Buffer.from(ascii85(Buffer.from(content)))],
    ['two filters', '/Filter [/A85 /Fl]', Buffer.from(ascii85(deflateSync(content)))],
    ['LZW', '/Filter /LZWDecode', lzw(Buffer.from(content))],
    [
      'a predictor',
      '/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 1 >>',
      deflateSync(predicted(Buffer.from(content))),
    ],
  ])('are decoded from %s', async (_name, dictionary, bytes) => {
    expect(await read(makePdf(pages(pdfStream(bytes, dictionary))))).toBe('text text');
  });

  it('are found without a length, and with a wrong one', async () => {
    const stream = (length: string): Buffer => Buffer.from(`<< ${length} >>\nstream\n${content}\nendstream`);
    expect(await read(makePdf(pages(stream(''))))).toBe('text text');
    expect(await read(makePdf(pages(stream('/Length 7'))))).toBe('text text');
    expect(await read(makePdf(pages(stream('/Length 6 0 R'))))).toBe('text text');
  });

  it('are found in object streams; later ones replace earlier ones', async () => {
    const inner =
      '3 0 5 40 << /Type /Page /Contents 4 0 R >>         << /Type /Font /Subtype /Type1 /BaseFont /X >>';
    const first = inner.indexOf('<<');
    const secondAt = inner.lastIndexOf('<< /Type /Font') - first;
    const stream = pdfStream(inner.replace('5 40', `5 ${secondAt}`), `/Type /ObjStm /N 2 /First ${first}`);
    const file = Buffer.concat([
      makePdf({ ...pages(pdfStream(content)), 6: stream }),
      Buffer.from(
        `4 0 obj\n<< /Length 26 >>\nstream\n${content.replace('text', 'new!')}\nendstream\nendobj\n`,
      ),
    ]);
    expect(await read(file)).toBe('new!');
  });

  it('are not read from encrypted files or files other than PDF', async () => {
    const whole = makePdf(pages(pdfStream(content)));
    expect(await read(Buffer.concat([whole, Buffer.from('trailer << /Encrypt 9 0 R >>')]))).toBe('');
    expect(await read(Buffer.from('no PDF 1 0 obj << /Type /Catalog >>'))).toBe('');
  });

  it('may refer to each other in circles', async () => {
    const file = makePdf({
      1: '<< /Type /Catalog /Pages 2 0 R >>',
      2: '<< /Kids [2 0 R 3 0 R 2 0 R] >>',
      3: '<< /Contents 4 0 R /Resources 3 0 R /Font 5 0 R >>',
      4: '<< /Length 4 0 R >>\nstream\nBT /F1 1 Tf (round) Tj ET\nendstream',
      5: '5 0 R',
    });
    expect(await read(file)).toBe('round');
  });
});

test('damaged PDF files are read up to the damage, or not at all', async () => {
  const random = randomOf(3);
  const whole = makePage('BT /F1 10 Tf (some text) Tj ET /X1 Do', '', {
    6: pdfStream('3 0 << >>', '/Type /ObjStm /N 1 /First 4'),
    9: pdfStream('BT /F1 10 Tf [(more) 3 <41>] TJ ET', '/Subtype /Form /Matrix [1 0 0 1 0 0]'),
  });
  for (let i = 0; i < 400; i++) {
    const damaged = Buffer.from(whole);
    for (let changes = 1 + random.below(8); changes > 0; changes--)
      damaged[random.below(damaged.length)] =
        random.below(4) === 0 ? random.below(256) : (whole[random.below(whole.length)] ?? 0);
    const text = await extractText(
      damaged.subarray(0, random.below(3) === 0 ? random.below(damaged.length) : undefined),
      'pdf',
    );
    expect(text.length).toBeLessThan(10_000);
  }
});

/** Encodes bytes as ASCII85. */
function ascii85(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4) {
    const part = bytes.subarray(at, at + 4);
    let value = 0;
    for (let i = 0; i < 4; i++) value = value * 256 + (part[i] ?? 0);
    let digits = '';
    for (let i = 0; i < 5; i++) {
      digits = String.fromCharCode(0x21 + (value % 85)) + digits;
      value = Math.floor(value / 85);
    }
    text += digits.slice(0, part.length + 1);
  }
  return `${text}~>`;
}

/** Encodes bytes as LZW with a growing table, as PDF writers do. */
function lzw(bytes: Buffer): Buffer {
  const table = new Map(Array.from({ length: 256 }, (_, byte) => [String.fromCharCode(byte), byte] as const));
  const codes = [256];
  let current = '';
  for (const byte of bytes) {
    const longer = current + String.fromCharCode(byte);
    if (table.has(longer)) current = longer;
    else {
      codes.push(table.get(current) ?? 0);
      table.set(longer, table.size + 2);
      current = String.fromCharCode(byte);
    }
  }
  codes.push(table.get(current) ?? 0, 257);
  const bits = codes.map((code) => code.toString(2).padStart(9, '0')).join('');
  return Buffer.from((bits.match(/.{1,8}/g) ?? []).map((byte) => parseInt(byte.padEnd(8, '0'), 2)));
}

/** Applies the predictor “up” to rows of one byte. */
function predicted(bytes: Buffer): Buffer {
  return Buffer.from([...bytes].flatMap((byte, i) => [2, (byte - (bytes[i - 1] ?? 0)) & 0xff]));
}
