import type { TextSink } from '../extract/text-sink.ts';
import { PageText } from './page-text.ts';
import { PdfDocument } from './pdf-document.ts';

/** Adds the text of a PDF file. Throws `PdfError` for a file that is not a PDF, is encrypted or has too many objects. */
export function addPdfText(bytes: Uint8Array, sink: TextSink): void {
  const document = new PdfDocument(bytes);
  const text = new PageText(document, sink);
  for (const page of document.pages()) {
    if (sink.isFull) return;
    text.add(page);
  }
}
