import { resolveName, unpack, xmlIn, type Unpacked } from '../archives/unpack.ts';
import { dateOfSerial, isDateFormat } from './sheet-dates.ts';

/** One sheet of a workbook, cells as text. */
export interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
}

/** Rows and columns beyond these are left out. */
const mostRows = 20_000;
const mostColumns = 500;

/** How cells are shown in the reader's language. */
export interface CellTexts {
  number: (value: number) => string;
  date: (at: Date, hasTime: boolean) => string;
  yes: string;
  no: string;
}

/** Reads a workbook (ECMA-376 part 1, SpreadsheetML): values as they were last computed, no formulas, no macros. */
export async function readWorkbook(
  bytes: Uint8Array<ArrayBuffer>,
  texts: CellTexts,
  signal: AbortSignal,
): Promise<readonly Sheet[]> {
  const files = await unpack(bytes, signal, (name) => /\.(?:xml|rels)$/iu.test(name));
  const book = xmlIn(files, 'xl/workbook.xml');
  if (!book) throw new Error('There is no workbook in it.');
  const targets = relationsOf(files);
  const strings = sharedStrings(files);
  const dateStyles = stylesOfDates(files);
  const is1904 = partsOf(book, 'workbookPr')[0]?.getAttribute('date1904');
  const reading = { strings, dateStyles, is1904: is1904 === '1' || is1904 === 'true', texts };
  const sheets: Sheet[] = [];
  for (const sheet of partsOf(book, 'sheet')) {
    if (sheet.getAttribute('state')?.includes('idden')) continue;
    const id = sheet.getAttribute('r:id') ?? sheet.getAttributeNS('*', 'id') ?? '';
    const part = targets.get(id);
    const xml = part === undefined ? null : xmlIn(files, part);
    sheets.push({ name: sheet.getAttribute('name') ?? '', rows: xml ? rowsOf(xml, reading) : [] });
  }
  return sheets;
}

const partsOf = (within: Document | Element, name: string): Element[] => [
  ...within.getElementsByTagNameNS('*', name),
];

function relationsOf(files: Unpacked): Map<string, string> {
  const xml = xmlIn(files, 'xl/_rels/workbook.xml.rels');
  const found = new Map<string, string>();
  for (const relation of xml ? partsOf(xml, 'Relationship') : []) {
    const target = relation.getAttribute('Target') ?? '';
    if (relation.getAttribute('TargetMode') === 'External') continue;
    found.set(relation.getAttribute('Id') ?? '', resolveName(target, 'xl/workbook.xml'));
  }
  return found;
}

/** The text of a string with or without formatting; what is only there to be read aloud (`rPh`) is left out. */
const stringOf = (item: Element): string =>
  partsOf(item, 't')
    .filter((part) => part.parentElement?.localName !== 'rPh')
    .map((part) => part.textContent)
    .join('');

function sharedStrings(files: Unpacked): readonly string[] {
  const xml = xmlIn(files, 'xl/sharedStrings.xml');
  return xml ? partsOf(xml, 'si').map(stringOf) : [];
}

/** Per style of cells, whether its numbers are dates, and whether they have a time. */
function stylesOfDates(files: Unpacked): readonly ('date' | 'time' | null)[] {
  const xml = xmlIn(files, 'xl/styles.xml');
  if (!xml) return [];
  const own = new Map<number, string>();
  for (const format of partsOf(xml, 'numFmt')) {
    own.set(Number(format.getAttribute('numFmtId')), format.getAttribute('formatCode') ?? '');
  }
  const styles = partsOf(xml, 'cellXfs')[0];
  return (styles ? partsOf(styles, 'xf') : []).map((style) => {
    const id = Number(style.getAttribute('numFmtId') ?? 0);
    return isDateFormat(id, own.get(id));
  });
}

interface Reading {
  strings: readonly string[];
  dateStyles: readonly ('date' | 'time' | null)[];
  is1904: boolean;
  texts: CellTexts;
}

/** `AB12` as row 11, column 27; null when it is no such name. */
function placeOf(reference: string | null): { row: number; column: number } | null {
  const [, letters = '', digits = ''] = /^([A-Z]{1,3})(\d{1,7})$/u.exec(reference ?? '') ?? [];
  if (letters === '') return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return { row: Number(digits) - 1, column: column - 1 };
}

function rowsOf(xml: Document, reading: Reading): string[][] {
  const rows: string[][] = [];
  let nextRow = 0;
  for (const row of partsOf(xml, 'row')) {
    const at = Number(row.getAttribute('r') ?? nextRow + 1) - 1;
    if (!(at >= nextRow && at < mostRows)) break;
    while (rows.length <= at) rows.push([]);
    nextRow = at + 1;
    const cells = rows[at] ?? [];
    for (const cell of row.children) {
      if (cell.localName !== 'c') continue;
      const column = placeOf(cell.getAttribute('r'))?.column ?? cells.length;
      if (column >= mostColumns) break;
      while (cells.length < column) cells.push('');
      cells[column] = textOfCell(cell, reading);
    }
  }
  return rows;
}

function textOfCell(cell: Element, { strings, dateStyles, is1904, texts }: Reading): string {
  const type = cell.getAttribute('t') ?? 'n';
  if (type === 'inlineStr') return stringOf(cell);
  const value = partsOf(cell, 'v')[0]?.textContent ?? '';
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
