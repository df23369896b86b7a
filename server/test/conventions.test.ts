import { expect, test } from 'vitest';

interface Conventions {
  readonly misnamedFiles: (files: readonly string[]) => string[];
  readonly crowdedFolders: (files: readonly string[]) => string[];
  readonly vagueComments: (file: string, text: string) => string[];
  readonly britishSpelling: (file: string, text: string) => string[];
  readonly malformedTitles: (titles: readonly string[]) => string[];
  readonly findUnconventional: () => string[];
}

const conventions = new URL('../../scripts/lib/conventions.mjs', import.meta.url).href;
const { misnamedFiles, crowdedFolders, vagueComments, britishSpelling, malformedTitles, findUnconventional } =
  (await import(conventions)) as Conventions;

test.each(['web/src/ui/Button.tsx', 'server/src/files/moveEntry.ts', 'scripts/lib/read_version.mjs'])(
  'reports %s, which is not in kebab case',
  (file) => {
    expect(misnamedFiles([file])).toEqual([`${file}: file names are in kebab case`]);
  },
);

test('accepts file names in kebab case, tests and styles among them, and other documents', () => {
  const files = [
    'web/src/ui/button.module.css',
    'server/src/files/move-entry.test.ts',
    'e2e/editor.spec.ts',
    'README.md',
  ];
  expect(misnamedFiles(files)).toEqual([]);
});

/** Openings of comments that are reported. */
const openings: Readonly<Record<string, string>> = { W1: 'What', W2: 'Whoever', W3: 'Whose' };

const modules = (count: number, suffix: string) =>
  Array.from({ length: count }, (_, position) => `web/src/ui/part-${position}${suffix}`);

test('reports a folder with more than 20 modules', () => {
  expect(crowdedFolders(modules(21, '.ts'))).toEqual([
    'web/src/ui: 21 modules; split the folder (at most 20)',
  ]);
  expect(crowdedFolders(modules(20, '.ts'))).toEqual([]);
});

test('does not count tests, styles, and the modules of subfolders', () => {
  expect(
    crowdedFolders([
      ...modules(20, '.ts'),
      ...modules(20, '.test.ts'),
      ...modules(20, '.css'),
      'web/src/ui/hooks/use-key.ts',
    ]),
  ).toEqual([]);
});

test.each([
  'colour',
  'Behaviours',
  'neighboursOf',
  'normaliseRules',
  'mapColours',
  'recognised',
  'licenceFile',
  'the centre',
  'grey',
  'authorisation',
  'labelled',
])('reports the British spelling of %s', (word) => {
  expect(britishSpelling('README.md', `one\ntwo ${word} three`)).toHaveLength(1);
});

test('accepts American spelling, names that clients and links use, and texts of the British interface', () => {
  const american = 'color behaviors labeled recognizedBytes center gray in:favourites behaviour.md';
  expect(britishSpelling('server/src/a.ts', american)).toEqual([]);
  expect(britishSpelling('server/src/a.ts', 'cancelled catalogue harbour promises raised analysed')).toEqual(
    [],
  );
  expect(britishSpelling('e2e/marks.spec.ts', "name: 'Favourites'")).toEqual([]);
  expect(britishSpelling('web/src/a.ts', "name: 'Favourites'")).toHaveLength(1);
});

test.each([
  'Fix the listing',
  'files: ',
  'files: end with a full stop.',
  `files: ${'x'.repeat(66)}`,
  'files:move',
])('reports the commit title “%s”', (title) => {
  expect(malformedTitles([title])).toHaveLength(1);
});

test('accepts titles of the form “area: imperative summary” of up to 72 characters', () => {
  expect(malformedTitles(['files: move folders across disks', `e2e, web: ${'x'.repeat(62)}`])).toEqual([]);
});

test.each(['/** W1 is shown. */', '  // W2 asks.', '{/* W3 it is. */}'])(
  'reports the comment “%s”, which names no thing first',
  (comment) => {
    const text = `const a = 1;\n${comment.replace(/W\d/, (word) => openings[word] ?? '')}\n`;
    expect(vagueComments('web/src/a.ts', text)).toHaveLength(1);
    expect(vagueComments('web/src/a.ts', text)[0]).toMatch(/^web\/src\/a\.ts:2: name the thing first: /);
  },
);

test('reports the line after the opening of a comment of several lines', () => {
  const text = `/**\n * ${openings['W1']} is shown.\n */\n`;
  expect(vagueComments('a.ts', text)).toEqual([`a.ts:2: name the thing first: ${openings['W1']} is shown.`]);
});

test('accepts comments that use such words elsewhere', () => {
  expect(
    vagueComments('a.ts', '/** Returns what was asked for. */\nconst What = 1; // Whatsoever\n'),
  ).toEqual([]);
});

test('finds nothing unconventional in this repository', () => {
  expect(findUnconventional()).toEqual([]);
});
