import { deflateSync } from 'node:zlib';
import { craftZip } from '../../test/fixtures/crafted-archives.ts';

/** Documents made by hand for tests. */

const xml = (body: string): string => `<?xml version="1.0" encoding="UTF-8"?>\n${body}`;

/** Returns a Word document with these paragraphs. */
export const makeWord = (...paragraphs: string[]): Buffer =>
  craftZip([
    { name: '[Content_Types].xml', content: xml('<Types/>') },
    {
      name: 'word/document.xml',
      content: xml(
        `<w:document xmlns:w="w"><w:body>${paragraphs
          .map((text) => `<w:p><w:pPr/><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`)
          .join('')}</w:body></w:document>`,
      ),
    },
  ]);

/** The parts of a PDF for {@link makePdf}: objects by their number, without `obj` and `endobj`. */
export type PdfObjects = Readonly<Record<number, string | Buffer>>;

/** Returns a PDF of these objects. The first is the document catalog. */
export function makePdf(objects: PdfObjects): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  for (const [number, body] of Object.entries(objects))
    parts.push(
      Buffer.from(`${number} 0 obj\n`),
      Buffer.isBuffer(body) ? body : Buffer.from(body, 'latin1'),
      Buffer.from('\nendobj\n'),
    );
  parts.push(
    Buffer.from(`trailer\n<< /Root 1 0 R /Size ${Object.keys(objects).length + 1} >>\nstartxref\n0\n%%EOF\n`),
  );
  return Buffer.concat(parts);
}

/** Returns a stream with a dictionary; compressed unless it declares a filter itself. */
export function pdfStream(content: string | Buffer, dictionary = ''): Buffer {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content, 'latin1');
  const data = dictionary.includes('/Filter') ? bytes : deflateSync(bytes);
  const filter = dictionary.includes('/Filter') ? '' : '/Filter /FlateDecode';
  return Buffer.concat([
    Buffer.from(`<< /Length ${data.length} ${filter} ${dictionary} >>\nstream\n`, 'latin1'),
    data,
    Buffer.from('\nendstream'),
  ]);
}

/** Returns a PDF of one page with this content and fonts; `/F1` is Helvetica. */
export const makePage = (content: string, fonts = '', further: PdfObjects = {}): Buffer =>
  makePdf({
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3: `<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R ${fonts} >> /XObject << /X1 9 0 R >> >> >>`,
    4: pdfStream(content),
    5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...further,
  });
