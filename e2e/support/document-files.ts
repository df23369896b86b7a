import { crc32 } from 'node:zlib';

/** Creates a zip archive of uncompressed texts (APPNOTE 4.3). */
export function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const bytes = Buffer.from(text);
    const nameBytes = Buffer.from(name);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt16LE(0x800, 2);
    // 1 January 2026, 00:00.
    header.writeUInt16LE(((2026 - 1980) << 9) | (1 << 5) | 1, 8);
    header.writeUInt32LE(crc32(bytes), 10);
    header.writeUInt32LE(bytes.length, 14);
    header.writeUInt32LE(bytes.length, 18);
    header.writeUInt16LE(nameBytes.length, 22);
    bodies.push(Buffer.from('PK\u0003\u0004', 'latin1'), header, nameBytes, bytes);
    const fields = Buffer.alloc(14);
    fields.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\0', 'latin1'), header, fields, nameBytes);
    at += 30 + nameBytes.length + bytes.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, central, end]);
}

const part = (title: string, more: string): string =>
  `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title><script>window.acted = 1</script></head><body onload="window.acted = 1"><h1>${title}</h1><p>${'Some words to read. '.repeat(40)}</p>${more}</body></html>`;

/** Creates a book (EPUB 3) of two chapters, the first of which tries to run scripts and to load from other origins. */
export const bookOf = (): Buffer =>
  zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="o/p.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'o/p.opf':
      '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>A tale</dc:title><dc:language>en</dc:language></metadata><manifest><item id="n" href="n.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><item id="b" href="b.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>',
    'o/n.xhtml':
      '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body><nav epub:type="toc"><ol><li><a href="a.xhtml">First part</a></li><li><a href="b.xhtml">Second part</a></li></ol></nav></body></html>',
    'o/a.xhtml': part(
      'First part',
      '<img src="https://stranger.example/x.png" alt="far" onerror="window.acted = 1"/><a href="b.xhtml">on</a>',
    ),
    'o/b.xhtml': part('Second part', ''),
  });

/** Creates a workbook of one sheet with a text and a number. */
export const workbookOf = (): Buffer =>
  zipOf({
    'xl/workbook.xml':
      '<workbook xmlns="m" xmlns:r="r"><sheets><sheet name="Home" sheetId="1" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="a" Target="worksheets/s.xml"/></Relationships>',
    'xl/worksheets/s.xml':
      '<worksheet xmlns="m"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Rent</t></is></c><c r="B1"><v>1200.5</v></c></row></sheetData></worksheet>',
  });
