import {
  elementsNamed,
  resolveName,
  unpack,
  unpackedText,
  unpackedXml,
  type Unpacked,
} from '../archives/unpack.ts';
import { hasOrigin } from '../html/clean-html.ts';

/** An entry of the table of contents. */
export interface ContentsEntry {
  readonly title: string;
  /** The index of the part it points into, from 0. */
  readonly part: number;
  /** The anchor within the part; empty for its beginning. */
  readonly anchor: string;
  /** Nesting depth; 0 is the outermost level. */
  readonly depth: number;
}

/** An unpacked book (EPUB 2 and 3). */
export interface Book {
  readonly title: string;
  readonly language: string;
  readonly isRightToLeft: boolean;
  /** Names of the parts in reading order. */
  readonly parts: readonly string[];
  readonly contents: readonly ContentsEntry[];
  readonly files: Unpacked;
  readonly mediaTypes: ReadonlyMap<string, string>;
}

/** Maximum number of entries of a table of contents. */
const maxContents = 2000;

/** Reads the structure of a book (EPUB 3.3, OPF 2.0). Throws if the file is not a book, or if its text is encrypted. */
export async function readBook(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<Book> {
  const files = await unpack(
    bytes,
    signal,
    (name) => !/\.(?:js|css|otf|ttf|woff2?|mp3|m4a|mp4|ogg|webm)$/iu.test(name),
  );
  const container = unpackedXml(files, 'META-INF/container.xml');
  const root = (container ? elementsNamed(container, 'rootfile')[0] : undefined)?.getAttribute('full-path');
  const opf = root ? unpackedXml(files, root) : null;
  if (!root || !opf) throw new Error('The file contains no book.');

  const items = new Map<string, { name: string; type: string; properties: string }>();
  const mediaTypes = new Map<string, string>();
  for (const item of elementsNamed(opf, 'item')) {
    const name = resolveName(item.getAttribute('href') ?? '', root);
    const type = item.getAttribute('media-type') ?? '';
    items.set(item.getAttribute('id') ?? '', {
      name,
      type,
      properties: item.getAttribute('properties') ?? '',
    });
    mediaTypes.set(name, type);
  }
  const spine = elementsNamed(opf, 'spine')[0];
  const parts: string[] = [];
  for (const reference of spine ? elementsNamed(spine, 'itemref') : []) {
    const item = items.get(reference.getAttribute('idref') ?? '');
    if (item && /x?html/iu.test(item.type) && Object.hasOwn(files, item.name)) parts.push(item.name);
  }
  if (parts.length === 0) throw new Error('The book has no text.');
  const navigation = [...items.values()].find(({ properties }) => properties.split(' ').includes('nav'));
  const ncx =
    items.get(spine?.getAttribute('toc') ?? '') ??
    [...items.values()].find(({ type }) => type.includes('ncx'));
  const contents = (navigation && parseNavigation(files, navigation.name, parts)) || [];
  return {
    title: elementsNamed(opf, 'title')[0]?.textContent.trim() ?? '',
    language: elementsNamed(opf, 'language')[0]?.textContent.trim() ?? '',
    isRightToLeft: spine?.getAttribute('page-progression-direction') === 'rtl',
    parts,
    contents: contents.length > 0 || !ncx ? contents : parseNcx(files, ncx.name, parts),
    files,
    mediaTypes,
  };
}

function toEntry(
  href: string,
  from: string,
  parts: readonly string[],
  { title, depth }: Pick<ContentsEntry, 'title' | 'depth'>,
): ContentsEntry | null {
  const target = resolveLink(href, from, parts);
  return target && title !== '' ? { ...target, title, depth } : null;
}

/** Resolves a link in the file `from` to a part and an anchor in it; null when it leads out of the book. */
export function resolveLink(
  href: string,
  from: string,
  parts: readonly string[],
): Pick<ContentsEntry, 'part' | 'anchor'> | null {
  if (hasOrigin(href)) return null;
  const [address = '', anchor = ''] = href.split('#');
  const part = parts.indexOf(address === '' ? from : resolveName(address, from));
  if (part < 0) return null;
  try {
    return { part, anchor: decodeURIComponent(anchor) };
  } catch {
    return { part, anchor };
  }
}

function parseNavigation(files: Unpacked, name: string, parts: readonly string[]): ContentsEntry[] {
  const page = new DOMParser().parseFromString(unpackedText(files, name) ?? '', 'text/html');
  const lists = [...page.querySelectorAll('nav')];
  const nav = lists.find((list) => list.getAttribute('epub:type') === 'toc') ?? lists[0];
  const contents: ContentsEntry[] = [];
  for (const link of nav?.querySelectorAll('a[href]') ?? []) {
    if (contents.length >= maxContents) break;
    let depth = -1;
    for (let ancestor = link.closest('ol'); ancestor && nav?.contains(ancestor);) {
      depth += 1;
      ancestor = ancestor.parentElement?.closest('ol') ?? null;
    }
    const title = link.textContent.replaceAll(/\s+/gu, ' ').trim();
    const entry = toEntry(link.getAttribute('href') ?? '', name, parts, { title, depth: Math.max(0, depth) });
    if (entry) contents.push(entry);
  }
  return contents;
}

function parseNcx(files: Unpacked, name: string, parts: readonly string[]): ContentsEntry[] {
  const xml = unpackedXml(files, name);
  const contents: ContentsEntry[] = [];
  for (const point of xml ? elementsNamed(xml, 'navPoint') : []) {
    if (contents.length >= maxContents) break;
    let depth = 0;
    for (
      let ancestor = point.parentElement;
      ancestor?.localName === 'navPoint';
      ancestor = ancestor.parentElement
    )
      depth += 1;
    const title = elementsNamed(point, 'text')[0]?.textContent.trim() ?? '';
    const source = elementsNamed(point, 'content')[0]?.getAttribute('src') ?? '';
    const entry = toEntry(source, name, parts, { title, depth });
    if (entry) contents.push(entry);
  }
  return contents;
}
