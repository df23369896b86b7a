import { expect, test } from 'vitest';
import { extensionOfPictureType, pictureFormatOf, pictureFormats } from './picture-formats.ts';

test('finds the format of a file by its last extension, in any letter case', () => {
  expect(pictureFormatOf('a.TIFF')?.shownBy).toBe('page');
  expect(pictureFormatOf('photo.jpg.cr3')?.isRaw).toBe(true);
  for (const name of ['jpg', 'notes.txt', 'photo.jpg.', '']) expect(pictureFormatOf(name)).toBeUndefined();
});

test('names converted pictures with the usual extension of their type', () => {
  expect(['image/jpeg', 'image/png', 'image/webp', 'image/tiff'].map(extensionOfPictureType)).toEqual([
    '.jpg',
    '.png',
    '.webp',
    '.tif',
  ]);
  expect(extensionOfPictureType('text/plain')).toBe('');
});

test('has a media type for every format that the server decodes, and offers no RAW file to browsers', () => {
  for (const [extension, { isDecoded, isRaw, mediaType, shownBy }] of pictureFormats) {
    expect(extension).toMatch(/^[a-z\d]+$/);
    if (isDecoded === true) expect(mediaType, extension).toBeDefined();
    if (isRaw === true) expect(shownBy, extension).toMatch(/^(?:page|server)$/);
  }
});
