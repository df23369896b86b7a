import { DocumentZip } from './document-zip.ts';
import type { TextSink } from './text-sink.ts';
import { addXmlText, decodeEntities, type XmlRules } from './xml-text.ts';

const rulesOf = (rules: {
  readonly texts: readonly string[] | null;
  readonly lines: readonly string[];
  readonly spaces?: readonly string[];
  readonly skipped?: readonly string[];
  readonly isSkipped?: XmlRules['isSkipped'];
}): XmlRules => ({
  texts: rules.texts === null ? null : new Set(rules.texts),
  lines: new Set(rules.lines),
  spaces: new Set(rules.spaces),
  skipped: new Set(rules.skipped),
  ...(rules.isSkipped && { isSkipped: rules.isSkipped }),
});

/** Word and PowerPoint (ISO/IEC 29500-1 §17.3.3.31, §21.1.2.3.11): deleted text and field codes are other elements. */
const wordRules = rulesOf({ texts: ['t'], lines: ['p', 'br', 'cr'], spaces: ['tab'] });
/** Shared texts of a workbook, without their phonetic guides (§18.4.8). */
const sharedTextRules = rulesOf({ texts: ['t'], lines: ['si'], skipped: ['rPh'] });
/** Cells: texts and numbers, without references to shared texts (§18.3.1.4). */
const cellRules = rulesOf({
  texts: ['v', 't'],
  lines: ['row'],
  spaces: ['c'],
  skipped: ['f'],
  isSkipped: (name, tag) => name === 'c' && /\st="[se]"/.test(tag),
});
/** OpenDocument (ODF 1.3 part 3 §6): all text that has not been deleted. */
const openDocumentRules = rulesOf({
  texts: null,
  lines: ['p', 'h', 'table-row', 'line-break'],
  spaces: ['s', 'tab', 'table-cell'],
  skipped: ['tracked-changes', 'scripts', 'font-face-decls', 'automatic-styles'],
});

/** Adds the members of a zip that match, one after the other. */
function addMembers(zip: DocumentZip, pattern: RegExp, sink: TextSink, rules: XmlRules): void {
  for (const name of zip.names(pattern)) {
    if (sink.isFull) return;
    const content = zip.read(name);
    if (content !== null) addXmlText(content, sink, rules);
    sink.space('\n');
  }
}

/** Adds the text of a Word document with its notes, headers and comments. Throws `ZipError`. */
export function addWordText(bytes: Uint8Array, sink: TextSink): void {
  const zip = new DocumentZip(bytes);
  addMembers(zip, /^word\/document\d*\.xml$/, sink, wordRules);
  addMembers(zip, /^word\/(?:footnotes|endnotes|comments|header\d*|footer\d*)\.xml$/, sink, wordRules);
}

/** Adds the text of a presentation: the slides, then their notes. Throws `ZipError`. */
export function addSlidesText(bytes: Uint8Array, sink: TextSink): void {
  const zip = new DocumentZip(bytes);
  addMembers(zip, /^ppt\/slides\/slide\d+\.xml$/, sink, wordRules);
  addMembers(zip, /^ppt\/notesSlides\/notesSlide\d+\.xml$/, sink, wordRules);
}

/** Adds the text of a workbook: names of sheets, shared texts, and the other cells. Throws `ZipError`. */
export function addSheetText(bytes: Uint8Array, sink: TextSink): void {
  const zip = new DocumentZip(bytes);
  const workbook = zip.read('xl/workbook.xml');
  if (workbook !== null)
    for (const [, name = ''] of Buffer.from(workbook)
      .toString('utf8')
      .matchAll(/<(?:\w+:)?sheet\s[^>]*?name="([^"]*)"/g)) {
      sink.add(decodeEntities(name));
      sink.space('\n');
    }
  addMembers(zip, /^xl\/sharedStrings\.xml$/i, sink, sharedTextRules);
  addMembers(zip, /^xl\/worksheets\/sheet\d+\.xml$/, sink, cellRules);
}

/** Adds the text of an OpenDocument file. Throws `ZipError`. */
export function addOpenDocumentText(bytes: Uint8Array, sink: TextSink): void {
  addMembers(new DocumentZip(bytes), /^content\.xml$/, sink, openDocumentRules);
}
