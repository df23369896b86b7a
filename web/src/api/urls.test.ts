import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { describe, expect, test } from 'vitest';
import { parseRetryAfter } from './api-error.ts';
import { parsePageConfig } from './page-config.ts';
import { rawUrl } from './urls.ts';

describe('rawUrl', () => {
  test.each([
    ['plain', {}, '/api/raw/a%20b/%23.jpg'],
    ['shown in the page', { inline: true, key: 17 }, '/api/raw/a%20b/%23.jpg?inline=true&key=17'],
    [
      'with names that contain commas',
      { files: ['a,b', 'c d'] },
      '/api/raw/a%20b/%23.jpg?files=a%252Cb%2Cc%2520d',
    ],
  ])('builds the address %s', (_name, options, address) => {
    expect(rawUrl(virtualPath('/a b/#.jpg'), options)).toBe(address);
  });
});

describe('the page configuration', () => {
  test('uses the defaults on a page that no server has filled in', () => {
    expect(parsePageConfig(null)).toMatchObject({ BaseURL: '', LoginPage: true, Name: '' });
    expect(parsePageConfig('  ')).toMatchObject({ BaseURL: '' });
  });
  test('uses the values of the server', () => {
    expect(parsePageConfig('{"BaseURL":"/fb","Name":"Loft \\u003c3"}')).toMatchObject({
      BaseURL: '/fb',
      Name: 'Loft <3',
      LoginPage: true,
    });
  });
});

describe('parseRetryAfter', () => {
  test.each([
    ['seconds', '30', 30],
    ['a date', 'Sat, 21 Nov 2026 06:00:10 GMT', 10],
    ['a date that has passed', 'Sat, 21 Nov 2026 05:00:00 GMT', 0],
    ['nonsense', 'soon', null],
    ['nothing', null, null],
  ])('parses %s', (_name, value, seconds) => {
    expect(parseRetryAfter(value, Date.UTC(2026, 10, 21, 6, 0, 0))).toBe(seconds);
  });
});
