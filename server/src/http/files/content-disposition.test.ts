import { expect, test } from 'vitest';
import { contentDisposition } from './content-disposition.ts';

test.each([
  ['a.txt', `attachment; filename*=utf-8''a.txt; filename="a.txt"`],
  ['a b.txt', `attachment; filename*=utf-8''a%20b.txt; filename="a b.txt"`],
  // The characters that File Browser’s API does not escape (docs/reference/filebrowser-api.md §1.7) and those that it does.
  ["-_.~$&+=:@!'()*", `attachment; filename*=utf-8''-_.~$&+=:@%21%27%28%29%2A; filename="-_.~$&+=:@!'()*"`],
  ['"x";\\%.txt', `attachment; filename*=utf-8''%22x%22%3B%5C%25.txt; filename="_x____.txt"`],
  ['日.txt', `attachment; filename*=utf-8''%E6%97%A5.txt; filename="_.txt"`],
  ['e\u0301', `attachment; filename*=utf-8''e%CC%81; filename="e_"`],
  ['a\r\nSet-Cookie: x', `attachment; filename*=utf-8''a%0D%0ASet-Cookie:%20x; filename="a__Set-Cookie: x"`],
  ['\ud800', `attachment; filename*=utf-8''%EF%BF%BD; filename="_"`],
  ['\u202egpj.exe', `attachment; filename*=utf-8''%E2%80%AEgpj.exe; filename="_gpj.exe"`],
  ['/docs/a.txt', `attachment; filename*=utf-8''a.txt; filename="a.txt"`],
])('the name %j becomes one valid header', (name, header) => {
  expect(contentDisposition('attachment', name)).toBe(header);
  expect(() => new Headers({ 'content-disposition': header })).not.toThrow();
});

test('the header of an inline file contains its name', () => {
  expect(contentDisposition('inline', 'a.txt')).toBe(`inline; filename*=utf-8''a.txt; filename="a.txt"`);
});
