import { elementsNamed, resolveName, unpack, unpackedXml, type Unpacked } from '../archives/unpack.ts';
import { dateOfSerial, dateFormatOf } from './sheet-dates.ts';

/** A sheet of a workbook, its cells as text. */
export interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
}

/** Maximum numbers of rows and columns that are read. */
const maxRows = 20_000;
const maxColumns = 500;

/** Formats cells in the user's language. */
export interface CellTexts {
  number: (value: number) => string;
  date: (at: Date, hasTime: boolean) => string;
  yes: string;
  no: string;
}

/** Reads a workbook (ECMA-376 part 1, SpreadsheetML): the stored results of formulas, no formulas and no macros. */
export async function readWorkbook(
  bytes: Uint8Array<ArrayBuffer>,
  texts: CellTexts,
  signal: AbortSignal,
): Promise<readonly Sheet[]> {
  const files = await unpack(bytes, signal, (name) => /\.(?:xml|rels)$/iu.test(name));
  const book = unpackedXml(files, 'xl/workbook.xml');
  if (!book) throw new Error('The file contains no workbook.');
  const targets = readRelations(files);
  const strings = readSharedStrings(files);
  const dateStyles = readDateStyles(files);
  const is1904 = elementsNamed(book, 'workbookPr')[0]?.getAttribute('date1904');
  const context = { strings, dateStyles, is1904: is1904 === '1' || is1904 === 'true', texts };
  const sheets: Sheet[] = [];
  for (const sheet of elementsNamed(book, 'sheet')) {
    if (sheet.getAttribute('state')?.includes('idden')) continue;
    const id = sheet.getAttribute('r:id') ?? sheet.getAttributeNS('*', 'id') ?? '';
    const part = targets.get(id);
    const xml = part === undefined ? null : unpackedXml(files, part);
    sheets.push({ name: sheet.getAttribute('name') ?? '', rows: xml ? readRows(xml, context) : [] });
  }
  return sheets;
}

function readRelations(files: Unpacked): Map<string, string> {
  const xml = unpackedXml(files, 'xl/_rels/workbook.xml.rels');
  const targets = new Map<string, string>();
  for (const relation of xml ? elementsNamed(xml, 'Relationship') : []) {
    const target = relation.getAttribute('Target') ?? '';
    if (relation.getAttribute('TargetMode') === 'External') continue;
    targets.set(relation.getAttribute('Id') ?? '', resolveName(target, 'xl/workbook.xml'));
  }
  return targets;
}

/** Returns the text of a plain or formatted string without phonetic guides (`rPh`). */
const stringText = (item: Element): string =>
  elementsNamed(item, 't')
    .filter((part) => part.parentElement?.localName !== 'rPh')
    .map((part) => part.textContent)
    .join('');

function readSharedStrings(files: Unpacked): readonly string[] {
  const xml = unpackedXml(files, 'xl/sharedStrings.xml');
  return xml ? elementsNamed(xml, 'si').map(stringText) : [];
}

/** Returns, per cell style, whether its numbers are dates, and whether they have a time. */
function readDateStyles(files: Unpacked): readonly ('date' | 'time' | null)[] {
  const xml = unpackedXml(files, 'xl/styles.xml');
  if (!xml) return [];
  const own = new Map<number, string>();
  for (const format of elementsNamed(xml, 'numFmt')) {
    own.set(Number(format.getAttribute('numFmtId')), format.getAttribute('formatCode') ?? '');
  }
  const styles = elementsNamed(xml, 'cellXfs')[0];
  return (styles ? elementsNamed(styles, 'xf') : []).map((style) => {
    const id = Number(style.getAttribute('numFmtId') ?? 0);
    return dateFormatOf(id, own.get(id));
  });
}

interface CellContext {
  strings: readonly string[];
  dateStyles: readonly ('date' | 'time' | null)[];
  is1904: boolean;
  texts: CellTexts;
}

/** Parses a reference: `AB12` is row 11, column 27. Null when it is malformed. */
function parseReference(reference: string | null): { row: number; column: number } | null {
  const [, letters = '', digits = ''] = /^([A-Z]{1,3})(\d{1,7})$/u.exec(reference ?? '') ?? [];
  if (letters === '') return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return { row: Number(digits) - 1, column: column - 1 };
}

function readRows(xml: Document, context: CellContext): string[][] {
  const rows: string[][] = [];
  let nextRow = 0;
  for (const row of elementsNamed(xml, 'row')) {
    const at = Number(row.getAttribute('r') ?? nextRow + 1) - 1;
    if (!(at >= nextRow && at < maxRows)) break;
    while (rows.length <= at) rows.push([]);
    nextRow = at + 1;
    const cells = rows[at] ?? [];
    for (const cell of row.children) {
      if (cell.localName !== 'c') continue;
      const column = parseReference(cell.getAttribute('r'))?.column ?? cells.length;
      if (column >= maxColumns) break;
      while (cells.length < column) cells.push('');
      cells[column] = formatCell(cell, context);
    }
  }
  return rows;
}

function formatCell(cell: Element, { strings, dateStyles, is1904, texts }: CellContext): string {
  const type = cell.getAttribute('t') ?? 'n';
  if (type === 'inlineStr') return stringText(cell);
  const value = elementsNamed(cell, 'v')[0]?.textContent ?? '';
  if (value === '') return '';
  switch (type) {
    case 's':
      return strings[Number(value)] ?? '';
    case 'b':
      return value === '1' ? texts.yes : texts.no;
    case 'n': {
      const number = Number(value);
      if (!Number.isFinite(number)) return value;
      const kind = dateStyles[Number(cell.getAttribute('s') ?? 0)];
      const date = kind ? dateOfSerial(number, is1904) : null;
      return kind && date ? texts.date(date, kind === 'time') : texts.number(number);
    }
    default:
      return value;
  }
}
