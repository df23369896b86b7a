import createPurifier from 'dompurify';

/** Resolves the links and images of a document. */
export interface DocumentLocation {
  /** Resolves a link; null turns it into plain text. */
  readonly linkTo: (href: string) => string | null;
  /** Resolves an image; null leaves only its description. */
  readonly imageAt: (href: string) => string | null;
}

export interface CleanOptions extends DocumentLocation {
  /** Keeps classes and the `style` attribute, for documents that are rendered in a shadow root. */
  readonly keepsStyle?: boolean | undefined;
}

/** The schemes that a link may open outside the product. Anything else, such as scripts and data, is removed. */
const outsideSchemes = /^(?:https?:|mailto:|tel:)/iu;

/** Whether a link leads out of the document to an address that may be opened. */
export const isOutsideLink = (href: string): boolean => outsideSchemes.test(href.trim());

/** Whether an address names a scheme or a server, so that it is not relative to the document. */
export const hasOrigin = (address: string): boolean => /^[a-z][a-z\d+.-]*:|^\/\//iu.test(address);

/** The prefix of ids and names in a document, so that they cannot shadow parts of the page. */
export const namePrefix = 'user-content-';

const forbiddenTags =
  'style form input button textarea select option optgroup dialog audio video source track picture template slot map area iframe frame object embed link meta base noscript marquee';
const forbiddenAttributes =
  'srcset sizes background poster ping action formaction autofocus tabindex contenteditable popover popovertarget slot part is download usemap ismap accesskey draggable';

/**
 * Renames event handler attributes in tags, so that browsers do not report each one as a violation of the page's
 * policy. Not a security measure: the HTML is sanitized afterwards.
 */
export const stripEventHandlers = (html: string): string =>
  html.replaceAll(/<[a-z][^>]*>/giu, (tag) => tag.replaceAll(/([\s"'/])on[a-z]+(?=\s*=)/giu, '$1data-off'));

/**
 * Sanitizes the HTML of a user's file into inert nodes: no scripts, no forms, no styles unless `keepsStyle` is set,
 * and no requests except for images that `imageAt` allows. Links open in a new tab without a reference to this one.
 */
export function cleanHtml(
  html: string,
  { linkTo, imageAt, keepsStyle = false }: CleanOptions,
): DocumentFragment {
  // Each call has its own sanitizer, since the hooks belong to one document. They run before the nodes can load
  // anything.
  const purifier = createPurifier(window);
  purifier.addHook('afterSanitizeAttributes', (node) => {
    if (node.localName === 'a') rewriteLink(node, linkTo);
    if (node.localName === 'img') rewriteImage(node, imageAt);
  });
  return purifier.sanitize(stripEventHandlers(html), {
    RETURN_DOM_FRAGMENT: true,
    USE_PROFILES: { html: true },
    FORBID_TAGS: forbiddenTags.split(' '),
    FORBID_ATTR: [...forbiddenAttributes.split(' '), ...(keepsStyle ? [] : ['style', 'class'])],
    FORBID_CONTENTS: ['script', 'style', 'template', 'noscript', 'iframe', 'object', 'select', 'textarea'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    SANITIZE_NAMED_PROPS: true,
  });
}

function rewriteLink(link: Element, linkTo: DocumentLocation['linkTo']): void {
  const href = link.getAttribute('href');
  if (href === null) return;
  if (href.startsWith('#')) {
    link.setAttribute('href', `#${namePrefix}${href.slice(1)}`);
    link.removeAttribute('target');
    return;
  }
  const address = linkTo(href);
  if (address === null) {
    link.removeAttribute('href');
    return;
  }
  link.setAttribute('href', address);
  link.setAttribute('target', '_blank');
  link.setAttribute('rel', 'noopener noreferrer');
}

function rewriteImage(image: Element, imageAt: DocumentLocation['imageAt']): void {
  const href = image.getAttribute('src');
  const address = href === null ? null : imageAt(href);
  if (address === null) {
    image.replaceWith(image.getAttribute('alt') ?? '');
    return;
  }
  image.setAttribute('src', address);
  image.setAttribute('loading', 'lazy');
  image.setAttribute('decoding', 'async');
}
