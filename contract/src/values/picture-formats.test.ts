import { expect, test } from 'vitest';
import { endingOfPicture, pictureFormatOf, pictureFormats } from './picture-formats.ts';

test('finds the format of a file by its last ending in any letters', () => {
  expect(pictureFormatOf('a.TIFF')?.shownBy).toBe('page');
  expect(pictureFormatOf('photo.jpg.cr3')?.isRaw).toBe(true);
  for (const name of ['jpg', 'notes.txt', 'photo.jpg.', '']) expect(pictureFormatOf(name)).toBeUndefined();
});

test('names converted pictures with the usual ending of their type', () => {
  expect(['image/jpeg', 'image/png', 'image/webp', 'image/tiff'].map(endingOfPicture)).toEqual([
    '.jpg',
    '.png',
    '.webp',
    '.tif',
  ]);
  expect(endingOfPicture('text/plain')).toBe('');
});

test('has a media type for every format that the server decodes, and offers no RAW file to browsers', () => {
  for (const [ending, { isDecoded, isRaw, mediaType, shownBy }] of pictureFormats) {
    expect(ending).toMatch(/^[a-z\d]+$/);
    if (isDecoded === true) expect(mediaType, ending).toBeDefined();
    if (isRaw === true) expect(shownBy, ending).toMatch(/^(?:page|server)$/);
  }
});
