import { resolveName, unpackedText } from '../archives/unpack.ts';
import { cleanHtml, hasOrigin, isOutsideLink, namePrefix, stripEventHandlers } from '../html/clean-html.ts';
import { resolveLink, type Book } from './read-book.ts';

/** Links to other parts of the book are rewritten as `#part-3:anchor` until they are followed. */
const partLink = /^#part-(\d+):(.*)$/su;

/** Builds a link to an anchor in another part, for {@link partOfLink}. */
const linkToPart = (part: number, anchor: string): string => `#part-${part}:${encodeURIComponent(anchor)}`;

/** Parses a link that {@link renderPart} created; null when it leads elsewhere. */
export function partOfLink(href: string): { part: number; anchor: string } | null {
  const [, part, anchor = ''] = partLink.exec(href) ?? [];
  return part === undefined ? null : { part: Number(part), anchor: decodeURIComponent(anchor) };
}

/** The id of an anchor in the cleaned part. */
export const anchorId = (anchor: string): string => `${namePrefix}${anchor}`;

const imageTypes = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/u;

/** Renders one part of a book as inert nodes. Its images are served as object URLs, which `release` revokes. */
export function renderPart(book: Book, part: number): { fragment: DocumentFragment; release: () => void } {
  const partName = book.parts[part] ?? '';
  const objectUrls: string[] = [];
  const page = new DOMParser().parseFromString(
    expandSelfClosed(stripEventHandlers(unpackedText(book.files, partName) ?? '')),
    'text/html',
  );
  // A cover is often an SVG drawing around one image.
  for (const drawing of page.querySelectorAll('svg')) {
    const inner = drawing.querySelector('image');
    const source = inner?.getAttribute('xlink:href') ?? inner?.getAttribute('href');
    const image = page.createElement('img');
    image.setAttribute('src', source ?? '');
    image.setAttribute('alt', drawing.querySelector('title')?.textContent ?? '');
    drawing.replaceWith(image);
  }
  for (const link of page.querySelectorAll('a[href]')) {
    const target = resolveLink(link.getAttribute('href') ?? '', partName, book.parts);
    if (target) link.setAttribute('href', linkToPart(target.part, target.anchor));
  }
  const fragment = cleanHtml(page.body.innerHTML, {
    linkTo: (href) => (isOutsideLink(href) ? href : null),
    imageAt: (href) => {
      if (hasOrigin(href)) return null;
      const name = resolveName(href, partName);
      const bytes = Object.hasOwn(book.files, name) ? book.files[name] : undefined;
      const type = book.mediaTypes.get(name) ?? '';
      if (!bytes || !imageTypes.test(type)) return null;
      const address = URL.createObjectURL(new Blob([bytes], { type }));
      objectUrls.push(address);
      return address;
    },
  });
  for (const link of fragment.querySelectorAll('a[href^="#"]')) {
    // The cleaner treats every `#` link as one within the part and adds its prefix.
    link.setAttribute('href', `#${(link.getAttribute('href') ?? '').slice(1 + namePrefix.length)}`);
  }
  return { fragment, release: () => objectUrls.forEach((address) => URL.revokeObjectURL(address)) };
}

/** Expands self-closed elements of XHTML, which an HTML parser would leave open. */
const expandSelfClosed = (xhtml: string): string =>
  xhtml.replaceAll(
    /<(title|script|style|a|p|div|span|i|b|em|strong|td|li|svg)(\s[^<>]*?)?\/>/giu,
    '<$1$2></$1>',
  );
