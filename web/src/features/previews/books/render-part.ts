import { resolveName, textIn } from '../archives/unpack.ts';
import { cleanHtml, isOutsideLink, namePrefix, withoutHandlers } from '../html/clean-html.ts';
import { resolvePlace, type Book } from './read-book.ts';

/** Links to other parts of the book are written so, until they are followed: `#part-3:place`. */
const partLink = /^#part-(\d+):(.*)$/su;

/** The address of a place in another part, for {@link partOfLink}. */
const linkToPart = (part: number, place: string): string => `#part-${part}:${encodeURIComponent(place)}`;

/** What a link made by {@link renderPart} leads to; null when it leads out of the book. */
export function partOfLink(href: string): { part: number; place: string } | null {
  const [, part, place = ''] = partLink.exec(href) ?? [];
  return part === undefined ? null : { part: Number(part), place: decodeURIComponent(place) };
}

/** The name that a place of a book has in its cleaned part. */
export const placeName = (place: string): string => `${namePrefix}${place}`;

const imageTypes = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/u;

/**
 * One part of a book as nodes that can only be read. Its images are lent addresses of their own; `release` takes them
 * back.
 */
export function renderPart(book: Book, part: number): { fragment: DocumentFragment; release: () => void } {
  const from = book.parts[part] ?? '';
  const lent: string[] = [];
  const page = new DOMParser().parseFromString(
    asHtml(withoutHandlers(textIn(book.files, from) ?? '')),
    'text/html',
  );
  // Covers are often drawings that hold one image.
  for (const drawing of page.querySelectorAll('svg')) {
    const inner = drawing.querySelector('image');
    const source = inner?.getAttribute('xlink:href') ?? inner?.getAttribute('href');
    const image = page.createElement('img');
    image.setAttribute('src', source ?? '');
    image.setAttribute('alt', drawing.querySelector('title')?.textContent ?? '');
    drawing.replaceWith(image);
  }
  for (const link of page.querySelectorAll('a[href]')) {
    const place = resolvePlace(link.getAttribute('href') ?? '', from, book.parts);
    if (place) link.setAttribute('href', linkToPart(place.part, place.place));
  }
  const fragment = cleanHtml(page.body.innerHTML, {
    linkTo: (written) => (isOutsideLink(written) ? written : null),
    imageAt: (written) => {
      if (/^[a-z][a-z\d+.-]*:|^\/\//iu.test(written)) return null;
      const name = resolveName(written, from);
      const bytes = Object.hasOwn(book.files, name) ? book.files[name] : undefined;
      const type = book.mediaTypes.get(name) ?? '';
      if (!bytes || !imageTypes.test(type)) return null;
      const address = URL.createObjectURL(new Blob([bytes], { type }));
      lent.push(address);
      return address;
    },
  });
  for (const link of fragment.querySelectorAll('a[href^="#"]')) {
    // The cleaner takes every such link for one within the part.
    link.setAttribute('href', `#${(link.getAttribute('href') ?? '').slice(1 + namePrefix.length)}`);
  }
  return { fragment, release: () => lent.forEach((address) => URL.revokeObjectURL(address)) };
}

/** XHTML so that an HTML parser reads it the same way: elements that are closed within their tag are closed again. */
const asHtml = (xhtml: string): string =>
  xhtml.replaceAll(
    /<(title|script|style|a|p|div|span|i|b|em|strong|td|li|svg)(\s[^<>]*?)?\/>/giu,
    '<$1$2></$1>',
  );
