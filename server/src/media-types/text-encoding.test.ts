import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { decodeText, encodingOf } from './text-encoding.ts';

const read = async (bytes: Uint8Array): Promise<string> =>
  [...decodeText(bytes, await encodingOf(bytes))].join('');

describe('the encoding of a text', () => {
  it.each<[string, string, string]>([
    ['utf-16le', 'windows-1251', 'Привет'],
    ['windows-1251', 'windows-1251', 'Привет, мир! Это проверка кодировки текста.'],
    ['koi8-r', 'koi8-r', 'Привет, мир! Это проверка кодировки текста.'],
    ['shift_jis', 'shift_jis', 'これは日本語のテキストです。文字コードの検査。'],
    ['gb18030', 'gbk', '这是一个中文文本文件，用于检测编码。'],
    ['euc-kr', 'euc-kr', '이것은 한국어 텍스트입니다. 인코딩 검사.'],
    ['windows-1252', 'latin1', "Café déjà vu, l'été à la plage, un élève très appliqué."],
    ['windows-1252', 'windows-1252', 'It’s a “test” – with dashes, naïve café'],
    ['windows-1252', 'latin1', 'é'],
    ['windows-1252', 'latin1', 'größe=3\n'],
    ['windows-1252', 'latin1', 'Ölfaß 3 m²'],
    ['shift_jis', 'shift_jis', '設定ファイル=はい'],
  ])('is detected as %s in a text in %s: %s', async (expected, encoding, text) => {
    const bytes =
      expected === 'utf-16le'
        ? iconv.encode(text, 'utf-16le', { addBOM: true })
        : iconv.encode(text, encoding);
    expect(await encodingOf(bytes)).toMatchObject({ name: expected, isFaithful: false });
    expect(await read(bytes)).toBe(text);
  });

  it('is detected from text far into the file', async () => {
    const bytes = iconv.encode(
      `${'plain ascii line\n'.repeat(50_000)}Привет, мир! Это проверка текста.`,
      'windows-1251',
    );
    expect((await encodingOf(bytes)).name).toBe('windows-1251');
    expect((await read(bytes)).endsWith('Это проверка текста.')).toBe(true);
  });

  it('is detected in a file of one long line', async () => {
    const bytes = iconv.encode(`${'x'.repeat(100_000)}Привет, мир! Это проверка текста.`, 'windows-1251');
    expect((await encodingOf(bytes)).name).toBe('windows-1251');
  });

  it('is UTF-8 whenever that is valid, and keeps its byte order mark', async () => {
    for (const text of ['', 'ascii', 'Ünïcödé 😀', '\uFEFFmarked']) {
      const bytes = Buffer.from(text);
      expect(await encodingOf(bytes)).toMatchObject({ name: 'utf-8', isFaithful: true });
      expect(await read(bytes)).toBe(text);
    }
  });

  it('is UTF-8 with damage rather than another encoding', async () => {
    const bytes = Buffer.concat([
      Buffer.from('Größe, Länge, Höhe, naïve Füße: Ünïcödé 😀'),
      Buffer.from([0xff]),
    ]);
    expect(await encodingOf(bytes)).toMatchObject({ name: 'utf-8', isFaithful: false });
    expect(await read(bytes)).toContain('Größe');
  });

  it('never splits a character between two chunks', async () => {
    const text = 'a' + '日本語のテキスト'.repeat(60_000);
    for (const encoding of ['shift_jis', 'utf-8'])
      expect(await read(iconv.encode(text, encoding))).toBe(text);
    const marked = iconv.encode(text, 'utf-16be', { addBOM: true });
    expect(await read(marked)).toBe(text);
  });

  it('never throws for random bytes', async () => {
    for (let seed = 0; seed < 200; seed++) {
      const bytes = Uint8Array.from(
        { length: 300 },
        (_, i) => (Math.imul(seed + 7, i + 13) * 2654435761) >>> 24,
      );
      expect(typeof (await read(bytes))).toBe('string');
    }
  });
});
