/**
 * Whether this browser shows PDF files inside a page (HTML standard §8.10.1.6); most phones do not. Apple's touch
 * devices report that they do, but show only the first page, as a picture.
 */
export const canShowPdf = (): boolean =>
  navigator.pdfViewerEnabled && !(navigator.vendor.startsWith('Apple') && navigator.maxTouchPoints > 1);
