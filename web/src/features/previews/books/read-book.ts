import { resolveName, textIn, unpack, xmlIn, type Unpacked } from '../archives/unpack.ts';

/** An entry of the table of contents. */
export interface BookMark {
  readonly title: string;
  /** The number of the part it begins in, from 0. */
  readonly part: number;
  /** The name of its place within the part; empty: its beginning. */
  readonly place: string;
  /** 0 for the outermost. */
  readonly depth: number;
}

/** A book (EPUB 2 and 3), unpacked. */
export interface Book {
  readonly title: string;
  readonly language: string;
  readonly isRightToLeft: boolean;
  /** Names of the parts in reading order. */
  readonly parts: readonly string[];
  readonly marks: readonly BookMark[];
  readonly files: Unpacked;
  readonly mediaTypes: ReadonlyMap<string, string>;
}

/** Most entries of a table of contents. */
const mostMarks = 2000;

const partsOf = (within: Document | Element, name: string): Element[] => [
  ...within.getElementsByTagNameNS('*', name),
];

/** Reads the structure of a book (EPUB 3.3, OPF 2.0). Throws for what is no book, or one whose text is encrypted. */
export async function readBook(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<Book> {
  const files = await unpack(
    bytes,
    signal,
    (name) => !/\.(?:js|css|otf|ttf|woff2?|mp3|m4a|mp4|ogg|webm)$/iu.test(name),
  );
  const container = xmlIn(files, 'META-INF/container.xml');
  const root = (container ? partsOf(container, 'rootfile')[0] : undefined)?.getAttribute('full-path');
  const opf = root ? xmlIn(files, root) : null;
  if (!root || !opf) throw new Error('There is no book in it.');

  const items = new Map<string, { name: string; type: string; properties: string }>();
  const mediaTypes = new Map<string, string>();
  for (const item of partsOf(opf, 'item')) {
    const name = resolveName(item.getAttribute('href') ?? '', root);
    const type = item.getAttribute('media-type') ?? '';
    items.set(item.getAttribute('id') ?? '', {
      name,
      type,
      properties: item.getAttribute('properties') ?? '',
    });
    mediaTypes.set(name, type);
  }
  const spine = partsOf(opf, 'spine')[0];
  const parts: string[] = [];
  for (const reference of spine ? partsOf(spine, 'itemref') : []) {
    const item = items.get(reference.getAttribute('idref') ?? '');
    if (item && /x?html/iu.test(item.type) && Object.hasOwn(files, item.name)) parts.push(item.name);
  }
  if (parts.length === 0) throw new Error('The book has no text.');
  const navigation = [...items.values()].find(({ properties }) => properties.split(' ').includes('nav'));
  const ncx =
    items.get(spine?.getAttribute('toc') ?? '') ??
    [...items.values()].find(({ type }) => type.includes('ncx'));
  const marks = (navigation && marksOfNavigation(files, navigation.name, parts)) || [];
  return {
    title: partsOf(opf, 'title')[0]?.textContent.trim() ?? '',
    language: partsOf(opf, 'language')[0]?.textContent.trim() ?? '',
    isRightToLeft: spine?.getAttribute('page-progression-direction') === 'rtl',
    parts,
    marks: marks.length > 0 || !ncx ? marks : marksOfNcx(files, ncx.name, parts),
    files,
    mediaTypes,
  };
}

function markAt(
  written: string,
  from: string,
  parts: readonly string[],
  { title, depth }: Pick<BookMark, 'title' | 'depth'>,
): BookMark | null {
  const place = resolvePlace(written, from, parts);
  return place && title !== '' ? { ...place, title, depth } : null;
}

/** The part and the place in it that a link in the file `from` means; null when it leads out of the book. */
export function resolvePlace(
  written: string,
  from: string,
  parts: readonly string[],
): Pick<BookMark, 'part' | 'place'> | null {
  if (/^[a-z][a-z\d+.-]*:|^\/\//iu.test(written)) return null;
  const [address = '', place = ''] = written.split('#');
  const part = parts.indexOf(address === '' ? from : resolveName(address, from));
  if (part < 0) return null;
  try {
    return { part, place: decodeURIComponent(place) };
  } catch {
    return { part, place };
  }
}

function marksOfNavigation(files: Unpacked, name: string, parts: readonly string[]): BookMark[] {
  const page = new DOMParser().parseFromString(textIn(files, name) ?? '', 'text/html');
  const lists = [...page.querySelectorAll('nav')];
  const nav = lists.find((list) => list.getAttribute('epub:type') === 'toc') ?? lists[0];
  const marks: BookMark[] = [];
  for (const link of nav?.querySelectorAll('a[href]') ?? []) {
    if (marks.length >= mostMarks) break;
    let depth = -1;
    for (let above = link.closest('ol'); above && nav?.contains(above);) {
      depth += 1;
      above = above.parentElement?.closest('ol') ?? null;
    }
    const title = link.textContent.replaceAll(/\s+/gu, ' ').trim();
    const mark = markAt(link.getAttribute('href') ?? '', name, parts, { title, depth: Math.max(0, depth) });
    if (mark) marks.push(mark);
  }
  return marks;
}

function marksOfNcx(files: Unpacked, name: string, parts: readonly string[]): BookMark[] {
  const xml = xmlIn(files, name);
  const marks: BookMark[] = [];
  for (const point of xml ? partsOf(xml, 'navPoint') : []) {
    if (marks.length >= mostMarks) break;
    let depth = 0;
    for (let above = point.parentElement; above?.localName === 'navPoint'; above = above.parentElement)
      depth += 1;
    const title = partsOf(point, 'text')[0]?.textContent.trim() ?? '';
    const source = partsOf(point, 'content')[0]?.getAttribute('src') ?? '';
    const mark = markAt(source, name, parts, { title, depth });
    if (mark) marks.push(mark);
  }
  return marks;
}
