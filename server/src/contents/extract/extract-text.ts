import type { DocumentFormat } from '../../media-types/document-format.ts';
import { addPdfText } from '../pdf/pdf-text.ts';
import { PdfError } from '../pdf/pdf-values.ts';
import { addOpenDocumentText, addSheetText, addSlidesText, addWordText } from './office-text.ts';
import { addMarkupText } from './markup-text.ts';
import { addPlainText } from './plain-text.ts';
import { ZipError } from './document-zip.ts';
import { TextSink } from './text-sink.ts';

/** The maximum length of the text of one document, in UTF-16 code units; the rest is not searched. */
const maxTextLength = 8 * 1024 * 1024;

const extractors: Readonly<
  Record<DocumentFormat, (bytes: Uint8Array, sink: TextSink) => void | Promise<void>>
> = {
  text: (bytes, sink) => addPlainText(bytes, sink, true),
  unknown: (bytes, sink) => addPlainText(bytes, sink, false),
  markup: addMarkupText,
  pdf: addPdfText,
  word: addWordText,
  sheet: addSheetText,
  slides: addSlidesText,
  opendocument: addOpenDocumentText,
};

/**
 * Returns the text of a document; empty if it has none, is encrypted, is damaged from its beginning or exceeds a limit. Text in
 * front of damage is returned.
 */
export async function extractText(
  bytes: Uint8Array,
  format: DocumentFormat,
  maxLength = maxTextLength,
): Promise<string> {
  const sink = new TextSink(maxLength);
  try {
    await extractors[format](bytes, sink);
  } catch (error) {
    // Users' files may contain anything. The limits of memory and time are those of the thread.
    if (!(error instanceof PdfError || error instanceof ZipError || error instanceof RangeError)) throw error;
  }
  return sink.text();
}
