import { strToU8, zipSync, type Zippable } from 'fflate';
import { afterEach, expect, test, vi } from 'vitest';
import { readBook } from './books/read-book.ts';
import { partOfLink, renderPart } from './books/render-part.ts';
import { columnLetters } from './tables/data-table.tsx';
import { parseTable } from './tables/csv-view.tsx';
import { readWorkbook } from './tables/read-workbook.ts';
import { dateOfSerial, dateFormatOf } from './tables/sheet-dates.ts';
import { renderWord } from './word/render-word.ts';

const signal = new AbortController().signal;
const texts = {
  number: String,
  date: (at: Date, hasTime: boolean) => at.toISOString().slice(0, hasTime ? 16 : 10),
  yes: 'yes',
  no: 'no',
};

const zip = (files: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> => {
  const packed: Zippable = {};
  for (const [name, text] of Object.entries(files)) packed[name] = strToU8(text);
  return new Uint8Array(zipSync(packed));
};

const workbook = (cells: string, extra: Readonly<Record<string, string>> = {}) =>
  zip({
    'xl/workbook.xml':
      '<workbook xmlns="m" xmlns:r="r"><sheets><sheet name="One" r:id="a"/><sheet name="Secret" state="hidden" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="a" Target="worksheets/s.xml"/></Relationships>',
    'xl/styles.xml':
      '<styleSheet xmlns="m"><numFmts><numFmt numFmtId="170" formatCode="yyyy-mm-dd hh:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>',
    'xl/sharedStrings.xml':
      '<sst xmlns="m"><si><t>word</t></si><si><r><t>two </t></r><r><t>parts</t></r><rPh><t>no</t></rPh></si></sst>',
    'xl/worksheets/s.xml': `<worksheet xmlns="m"><sheetData>${cells}</sheetData></worksheet>`,
    ...extra,
  });

test('reads texts, numbers, dates and results of a workbook, without formulas and hidden sheets', async () => {
  const cells =
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>' +
    '<row r="3"><c r="B3"><f>1+1</f><v>2</v></c><c r="C3" s="1"><v>45000</v></c><c r="D3" s="2"><v>45000.5</v></c><c r="E3" t="b"><v>1</v></c><c r="F3" t="e"><v>#DIV/0!</v></c></row>';
  const [sheet, ...more] = await readWorkbook(workbook(cells), texts, signal);
  expect(more).toEqual([]);
  expect(sheet?.rows).toEqual([
    ['word', '', 'two parts'],
    [],
    ['', '2', '2023-03-15', '2023-03-15T12:00', 'yes', '#DIV/0!'],
  ]);
});

test('ignores cells beyond the limits instead of filling the table up to them', async () => {
  const cells =
    '<row r="1"><c r="XFD1"><v>1</v></c></row><row r="1048576"><c r="A1048576"><v>1</v></c></row>';
  const [sheet] = await readWorkbook(workbook(cells), texts, signal);
  expect(sheet?.rows).toEqual([[]]);
});

test.each([
  ['data that is not an archive', new Uint8Array(20)],
  ['another archive', zip({ 'a.txt': 'x' })],
  ['broken XML', zip({ 'xl/workbook.xml': '<workbook><sheets>' })],
])('rejects %s as a workbook', async (_, bytes) => {
  await expect(readWorkbook(bytes, texts, signal)).rejects.toThrow();
});

test('does not expand nested XML entities', async () => {
  const bomb =
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><sst xmlns="m"><si><t>&b;</t></si></sst>';
  const cells = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>';
  const [sheet] = await readWorkbook(workbook(cells, { 'xl/sharedStrings.xml': bomb }), texts, signal);
  expect(sheet?.rows).toEqual([['&a;&a;&a;']]);
});

test('counts dates from 1900 with its nonexistent leap day, or from 1904', () => {
  expect(dateOfSerial(1, false)?.toISOString()).toBe('1900-01-01T00:00:00.000Z');
  expect(dateOfSerial(61, false)?.toISOString()).toBe('1900-03-01T00:00:00.000Z');
  expect(dateOfSerial(0, true)?.toISOString()).toBe('1904-01-01T00:00:00.000Z');
  expect(dateOfSerial(9e9, false)).toBeNull();
});

test.each([
  [14, undefined, 'date'],
  [22, undefined, 'time'],
  [0, undefined, null],
  [170, 'yyyy\\-mm\\-dd', 'date'],
  [170, '[$-409]d/m/yy h:mm', 'time'],
  [170, '0.00 "days"', null],
  [170, '#,##0.00 [Red]', null],
] as const)('classifies number format %i %s as %s', (id, code, kind) => {
  expect(dateFormatOf(id, code)).toBe(kind);
});

test('names columns as spreadsheets do', () => {
  expect([0, 25, 26, 701, 702].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA']);
});

test('detects the separator of a table, and keeps formulas as text', () => {
  expect(parseTable('\ufeffa;b\n"x;y";=1+1\n')).toEqual([
    ['a', 'b'],
    ['x;y', '=1+1'],
  ]);
  expect(parseTable('a\tb\n1\t2')).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]);
  expect(parseTable('a,b|c', '|')).toEqual([['a,b', 'c']]);
});

const book = (chapter: string) =>
  zip({
    'META-INF/container.xml':
      '<container xmlns="c"><rootfiles><rootfile full-path="O/p.opf"/></rootfiles></container>',
    'O/p.opf':
      '<package xmlns="o" xmlns:dc="d"><metadata><dc:title>Tale</dc:title><dc:language>de</dc:language></metadata><manifest><item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/><item id="i" href="a%20b.png" media-type="image/png"/><item id="s" href="d.svg" media-type="image/svg+xml"/><item id="1" href="t/1.xhtml" media-type="application/xhtml+xml"/><item id="2" href="t/2.xhtml" media-type="application/xhtml+xml"/></manifest><spine toc="n"><itemref idref="1"/><itemref idref="2"/></spine></package>',
    'O/toc.ncx':
      '<ncx xmlns="n"><navMap><navPoint><navLabel><text>First</text></navLabel><content src="t/1.xhtml"/><navPoint><navLabel><text>Within</text></navLabel><content src="t/1.xhtml#w"/></navPoint></navPoint></navMap></ncx>',
    'O/a b.png': 'png',
    'O/d.svg': '<svg onload="alert(1)"/>',
    'O/t/1.xhtml': chapter,
    'O/t/2.xhtml': '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>two</p></body></html>',
  });

afterEach(() => vi.unstubAllGlobals());

test('reads the parts and contents of a book, and renders its text inert', async () => {
  const objectUrls: string[] = [];
  vi.stubGlobal(
    'URL',
    Object.assign(URL, {
      createObjectURL: () => {
        objectUrls.push(`blob:${objectUrls.length}`);
        return objectUrls.at(-1);
      },
      revokeObjectURL: (url: string) => objectUrls.splice(objectUrls.indexOf(url), 1),
    }),
  );
  const chapter =
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script>alert(1)</script></head><body onload="alert(1)"><h1 id="w">One</h1>' +
    '<img src="../a%20b.png" alt="in"/><img src="../d.svg" alt="drawn"/><img src="https://evil.example/x" alt="far"/>' +
    '<a href="2.xhtml#z">next</a><a href="javascript:alert(1)">bad</a><script src="x.js"/><p>after</p></body></html>';
  const read = await readBook(book(chapter), signal);
  expect([read.title, read.language, read.parts]).toEqual(['Tale', 'de', ['O/t/1.xhtml', 'O/t/2.xhtml']]);
  expect(read.contents).toEqual([
    { title: 'First', part: 0, anchor: '', depth: 0 },
    { title: 'Within', part: 0, anchor: 'w', depth: 1 },
  ]);
  const { fragment, release } = renderPart(read, 0);
  expect([...fragment.querySelectorAll('img')].map((image) => image.getAttribute('src'))).toEqual(['blob:0']);
  expect(fragment.querySelector('script, [onload]')).toBeNull();
  expect(fragment.textContent).toContain('after');
  const links = [...fragment.querySelectorAll('a')].map((link) => link.getAttribute('href'));
  expect(links[1]).toBeNull();
  expect(partOfLink(links[0] ?? '')).toEqual({ part: 1, anchor: 'z' });
  release();
  expect(objectUrls).toEqual([]);
});

test.each([
  ['another archive', zip({ a: 'x' })],
  ['a container without a book', zip({ 'META-INF/container.xml': '<container/>' })],
])('rejects %s as a book', async (_, bytes) => {
  await expect(readBook(bytes, signal)).rejects.toThrow();
});

const wordDocument = (body: string, relations = '') =>
  zip({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations}</Relationships>`,
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:body>${body}</w:body></w:document>`,
  });

const hyperlink = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink';
const link = (id: string) =>
  `<w:p><w:hyperlink r:id="${id}"><w:r><w:t>link ${id}</w:t></w:r></w:hyperlink></w:p>`;

test('renders the text of a document, keeps web links only, and fetches no external template', async () => {
  const relations =
    `<Relationship Id="a" Type="${hyperlink}" TargetMode="External" Target="https://example.org/"/>` +
    `<Relationship Id="b" Type="${hyperlink}" TargetMode="External" Target="javascript:alert(1)"/>` +
    `<Relationship Id="c" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate" TargetMode="External" Target="https://evil.example/t.dotm"/>`;
  const body = `<w:p><w:r><w:t>Hello &lt;script&gt;</w:t></w:r></w:p>${link('a')}${link('b')}`;
  const { fragment, styles } = await renderWord(wordDocument(body, relations), signal);
  expect(fragment.textContent).toContain('Hello <script>');
  const targets = [...fragment.querySelectorAll('a[href]')].map((one) => one.getAttribute('href'));
  expect(targets).toEqual(['https://example.org/']);
  expect(styles).not.toMatch(/url\(|@import/u);
});
