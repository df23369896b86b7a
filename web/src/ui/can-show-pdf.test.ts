import { afterEach, expect, test, vi } from 'vitest';
import { canShowPdf } from './can-show-pdf.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['a desktop browser', { pdfViewerEnabled: true, vendor: 'Google Inc.', maxTouchPoints: 10 }, true],
  ['a phone', { pdfViewerEnabled: false, vendor: 'Google Inc.', maxTouchPoints: 5 }, false],
  [
    "one of Apple's computers",
    { pdfViewerEnabled: true, vendor: 'Apple Computer, Inc.', maxTouchPoints: 0 },
    true,
  ],
  [
    "one of Apple's tablets",
    { pdfViewerEnabled: true, vendor: 'Apple Computer, Inc.', maxTouchPoints: 5 },
    false,
  ],
])('determines whether %s shows PDF files inside a page', (_device, properties, expected) => {
  vi.stubGlobal('navigator', properties);
  expect(canShowPdf()).toBe(expected);
});
