import { describe, expect, it, test } from 'vitest';
import { craftZip } from '../../../test/fixtures/crafted-archives.ts';
import { makeWord } from '../contents-testing.ts';
import { extractText } from './extract-text.ts';

/** The text of a document with single spaces. */
const read = async (...parameters: Parameters<typeof extractText>): Promise<string> =>
  (await extractText(...parameters)).replaceAll(/\s+/g, ' ').trim();

describe('the text of plain files', () => {
  it('is decoded from the encodings of the previews', async () => {
    expect(await read(Buffer.from('Müller & Söhne'), 'text')).toBe('Müller & Söhne');
    expect(await read(Buffer.from('größe=3\n', 'latin1'), 'text')).toBe('größe=3');
    expect(await read(Buffer.from('\uFEFFПривет', 'utf16le'), 'text')).toContain('Привет');
  });

  it('is empty for binary files', async () => {
    const binary = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 65, 66]);
    expect(await read(binary, 'text')).toBe('');
    expect(await read(binary, 'unknown')).toBe('');
    expect(await read(Buffer.from('größe', 'latin1'), 'unknown')).toBe('');
  });

  it('is cut after the maximum length', async () => {
    expect(await extractText(Buffer.from('a'.repeat(300_000)), 'text', 100_000)).toBe('a'.repeat(100_000));
  });

  it('has no NUL, soft hyphens and lone surrogates', async () => {
    const text = await extractText(Buffer.from('co\u00ADoperate \uD83D\uDE00'), 'text', 12);
    expect(text).toBe('cooperate \uFFFD');
  });
});

test('the text of HTML has no tags, scripts and styles', async () => {
  const html =
    '<html><head><style>p { color: red }</style><script>if (a<b) "</p>"</script></head><!-- hidden > too -->' +
    '<body><p>First<br>second &amp; &#8364;&nbsp;third</p><p>last</p></body>';
  expect(await read(Buffer.from(html), 'markup')).toBe('First second & € third last');
  expect(await read(Buffer.from('<script>'.repeat(100_000)), 'markup')).toBe('');
});

describe('the text of office documents', () => {
  it('is read from paragraphs, notes and headers of Word', async () => {
    const document = craftZip([
      {
        name: 'word/document.xml',
        content:
          '<w:document><w:body><w:p><w:r><w:t>Invoi</w:t></w:r><w:r><w:t>ce</w:t><w:tab/><w:t>No &lt;7&gt;</w:t></w:r></w:p>' +
          '<w:p><w:r><w:delText>deleted</w:delText><w:instrText>FIELD</w:instrText><w:t><![CDATA[a & b]]></w:t></w:r></w:p></w:body></w:document>',
      },
      { name: 'word/footnotes.xml', content: '<w:footnotes><w:p><w:t>a note</w:t></w:p></w:footnotes>' },
      { name: 'word/header1.xml', content: '<w:hdr><w:p><w:t>a header</w:t></w:p></w:hdr>' },
      { name: 'word/styles.xml', content: '<w:styles><w:t>no style</w:t></w:styles>' },
    ]);
    expect(await read(document, 'word')).toBe('Invoice No <7> a & b a note a header');
    expect(await read(makeWord('one', 'two'), 'word')).toBe('one two');
  });

  it('is read from the cells of workbooks', async () => {
    const document = craftZip([
      {
        name: 'xl/workbook.xml',
        content: '<workbook><sheets><sheet name="Plan &amp; Budget" sheetId="1"/></sheets></workbook>',
      },
      {
        name: 'xl/sharedStrings.xml',
        content:
          '<sst><si><t>Rent</t></si><si><r><t>Po</t></r><r><t>wer</t></r><rPh><t>no</t></rPh></si></sst>',
      },
      {
        name: 'xl/worksheets/sheet1.xml',
        content:
          '<worksheet><sheetData><row><c r="A1" t="s"><v>0</v></c><c r="B1"><f>SUM(1)</f><v>4711.5</v></c>' +
          '<c r="C1" t="inlineStr"><is><t>inline</t></is></c></row></sheetData></worksheet>',
      },
    ]);
    expect(await read(document, 'sheet')).toBe('Plan & Budget Rent Power 4711.5 inline');
  });

  it('is read from slides in their order, then from their notes', async () => {
    const slide = (text: string): string => `<p:sld><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`;
    const document = craftZip([
      { name: 'ppt/slides/slide10.xml', content: slide('tenth') },
      { name: 'ppt/slides/slide2.xml', content: slide('second') },
      { name: 'ppt/notesSlides/notesSlide1.xml', content: slide('a note') },
    ]);
    expect(await read(document, 'slides')).toBe('second tenth a note');
  });

  it('is read from OpenDocument files without deleted text', async () => {
    const document = craftZip([
      { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text' },
      {
        name: 'content.xml',
        content:
          '<office:document-content><office:body><office:text><text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>' +
          '<text:h>Title</text:h><text:p>one<text:s/>two<text:line-break/>three</text:p></office:text></office:body></office:document-content>',
      },
    ]);
    expect(await read(document, 'opendocument')).toBe('Title one two three');
  });

  it('is empty for damaged files and for those that are larger than the limits', async () => {
    const whole = makeWord('text');
    expect(await read(whole.subarray(0, 40), 'word')).toBe('');
    expect(await read(Buffer.from('no zip'), 'word')).toBe('');
    expect(await read(Buffer.alloc(0), 'word')).toBe('');
    const bomb = craftZip([{ name: 'word/document.xml', content: '<w:t>'.padEnd(70 * 1024 * 1024, 'a') }]);
    expect(bomb.length).toBeLessThan(1024 * 1024);
    expect(await read(bomb, 'word')).toBe('');
  });

  it('keeps entities that a document declares itself', async () => {
    const laughs = '<!DOCTYPE w [<!ENTITY a "haha"><!ENTITY b "&a;&a;">]><w:t>&b; &unknown;</w:t>';
    expect(await read(craftZip([{ name: 'word/document.xml', content: laughs }]), 'word')).toBe(
      '&b; &unknown;',
    );
  });
});
