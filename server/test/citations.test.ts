import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const top = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(top, path), 'utf8');

/** The documents with numbered sections, by the names by which they are cited. */
const citedAs: Readonly<Record<string, string>> = {
  'filebrowser-api.md': 'docs/reference/filebrowser-api.md',
  'behaviour.md': 'docs/reference/behaviour.md',
};
const label = /filebrowser-api\.md|behaviour\.md/g;
/** A section after another name of one of these documents, which readers could not open. */
const unnamed = /\b(?:existing API|(?:product )?specification)`?,? \(?(?:§|appendix [A-Z])/gi;
/** A citation ends with its sentence or comment, and where another document or a standard is named. */
const citationEnd = /\.\s+[A-Z]|\*\/|[\w-]+\.md|\b(?:RFC|ISO|ECMA|ITU|UTS|WCAG|HTML standard)\b/i;
const longestCitation = 200;

const folders = ['bench', 'contract', 'docs', 'e2e', 'packaging', 'scripts', 'server', 'web'];
const isRead = (path: string): boolean =>
  /\.(?:[cm]?[jt]sx?|css|html|md|sh|ya?ml)$/.test(path) &&
  !/(?:^|\/)(?:node_modules|dist|coverage|citations\.test\.ts)(?:\/|$)/.test(path);
const files = [
  ...readdirSync(top),
  ...folders.flatMap((folder) =>
    readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  ),
].filter(isRead);

/** Returns `text` without line breaks and comment markers, so that a citation may wrap. */
const unwrapped = (text: string): string => text.replace(/\n[ \t]*(?:\*(?!\/)|\/\/|#(?!#))?[ \t]*/g, ' ');

/** The numbers of all sections in a document, and the letters of its appendices. */
const sectionsOf = (markdown: string): Set<string> =>
  new Set(
    [...markdown.matchAll(/^#{2,4} (?:Appendix )?([A-Z]|\d+(?:\.\d+)*)\.? /gm)].map(([, name = '']) => name),
  );

/** The sections that `text` cites, each with the document. Numbers of standards (`RFC 9110 §14`) are not among them. */
function citationsIn(text: string): { document: string; section: string }[] {
  return [...text.matchAll(label)].flatMap(({ 0: name, index }) => {
    const rest = text.slice(index + name.length, index + name.length + longestCitation);
    const end = rest.search(citationEnd);
    const cited = end === -1 ? rest : rest.slice(0, end + 1);
    const sections = cited.matchAll(/§\s?(\d+(?:\.\d+)*)|\bappendix ([A-Z])\b/gi);
    return [...sections].map(([, number, letter]) => ({
      document: citedAs[name] ?? '',
      section: number ?? letter?.toUpperCase() ?? '',
    }));
  });
}

/** The documents that `text` names with their path, and those whose sections it cites by file name. */
function documentsIn(text: string): string[] {
  const paths = [...text.matchAll(/(?<![\w/])docs\/(?:(?:guides|reference|decisions)\/)?[\w-]+\.md\b/g)];
  const names = [...text.matchAll(/(?<![\w/.-])([\w-]+\.md)`?\)?,? §/g)];
  return [...paths.map(([path]) => path), ...names.map(([, name = '']) => name)];
}

const sections = new Map(
  [...new Set(Object.values(citedAs))].map((document) => [document, sectionsOf(read(document))]),
);
const documentNames = new Set(files.filter((path) => path.endsWith('.md')).map((path) => basename(path)));
const documentExists = (document: string): boolean =>
  document.includes('/') ? existsSync(join(top, document)) : documentNames.has(document);

/** Returns the citations in `text` that cannot be resolved. */
const unresolvedIn = (text: string): string[] => [
  ...citationsIn(text)
    .filter(({ document, section }) => !sections.get(document)?.has(section))
    .map(({ document, section }) => `${document} §${section}`),
  ...documentsIn(text).filter((document) => !documentExists(document)),
  ...[...text.matchAll(unnamed)].map(([citation]) => citation),
];

describe('citations', () => {
  test('every cited section and document exists', () => {
    const unresolved = files.flatMap((path) =>
      unresolvedIn(unwrapped(read(path))).map((citation) => `${path}: ${citation}`),
    );
    expect(unresolved).toEqual([]);
  });

  test.each([...sections.keys()])(
    'every section that %s cites without a document exists in it',
    (document) => {
      const text = unwrapped(read(document)).replaceAll(
        /[\w-]+\.md\)?,? §[\d.]+(?:(?:,| and) §[\d.]+)*/g,
        '',
      );
      for (const [, section = ''] of text.matchAll(/§(\d+(?:\.\d+)*)/g)) {
        expect([...(sections.get(document) ?? [])], section).toContain(section);
      }
    },
  );

  test('no section number is used twice in a document', () => {
    for (const document of sections.keys()) {
      const numbers = [...read(document).matchAll(/^#{2,4} (\d+(?:\.\d+)*)\.? /gm)].map(
        ([, number]) => number,
      );
      expect(numbers).toEqual([...new Set(numbers)]);
    }
  });

  test('the source cites both documents', () => {
    const cited = files
      .filter((path) => !path.startsWith('docs'))
      .flatMap((path) => citationsIn(unwrapped(read(path))));
    expect(new Set(cited.map(({ document }) => document))).toEqual(new Set(sections.keys()));
  });
});

describe('the search for citations', () => {
  const missing = (text: string): string[] => unresolvedIn(unwrapped(text));

  test.each([
    ['a section that does not exist', '/** The name (docs/reference/filebrowser-api.md §1.99). */'],
    ['the second section of a list', '/** The name (docs/reference/filebrowser-api.md §1.7, §6.99). */'],
    [
      'a section in brackets behind the document',
      '/** The keys that docs/reference/filebrowser-api.md lists (§1.99), and others. */',
    ],
    [
      'a section on the next line of a comment',
      '/**\n * The name (docs/reference/filebrowser-api.md\n * §1.99).\n */',
    ],
    ['a section of the behavior', '// docs/reference/behaviour.md §12: Enter does nothing.'],
    [
      'a section behind another document',
      '/** See docs/reference/behaviour.md §6, docs/reference/filebrowser-api.md §3.99. */',
    ],
    ['a section cited by file name', 'See filebrowser-api.md §1.99.'],
    ['a section cited by file name as code', 'See `behaviour.md` §12.'],
    ['an appendix', "describe('a folder (docs/reference/filebrowser-api.md §1.5, appendix B)', () => {"],
    ['a document with a path', '// See docs/decisions/0000-nothing.md.'],
    ['a document without a path', '// See nothing.md §3.'],
    ['the API without the name of its document', '/** The name (existing API §1.7). */'],
    ['the behavior without the name of its document', '// Product specification §9: Enter opens.'],
    ['an appendix without the name of its document', '/** The type (existing\n * API, appendix A). */'],
  ])('finds %s', (_title, text) => {
    expect(missing(text)).toHaveLength(1);
  });

  test.each([
    [
      'sections that exist',
      '/** The type (docs/reference/filebrowser-api.md §1.5, §6.4 and appendix A; docs/reference/behaviour.md §9). */',
    ],
    ['a document that exists', '// See docs/known-limits.md and docs/reference/api.md.'],
    ['standards', '/** Ranges (RFC 9110 §14.1.2, WCAG 2.2 §1.4.99, ISO/IEC 18004 §5.3.8). */'],
    [
      'a standard behind a citation',
      '/** The name (docs/reference/filebrowser-api.md §1.7; RFC 9110 §14.99). */',
    ],
  ])('accepts %s', (_title, text) => {
    expect(missing(text)).toEqual([]);
  });
});
