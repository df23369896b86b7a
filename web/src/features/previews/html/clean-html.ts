import createPurifier from 'dompurify';

/** Where the links and images of a document lead. */
export interface DocumentLocation {
  /** The address for a link as it is written; null makes plain text of it. */
  readonly linkTo: (written: string) => string | null;
  /** The address of an image as it is written; null leaves its description only. */
  readonly imageAt: (written: string) => string | null;
}

export interface CleanOptions extends DocumentLocation {
  /** Keeps classes and the `style` attribute, for documents that stand in a shadow root. */
  readonly keepsStyle?: boolean | undefined;
}

/** The addresses of strangers that a link may open; anything else, such as scripts and data, is no link. */
const strangers = /^(?:https?:|mailto:|tel:)/iu;

/** Whether a link as it is written leads out of the document, to an address that may be opened. */
export const isOutsideLink = (written: string): boolean => strangers.test(written.trim());

/** Names what a document's own parts are renamed with, so that they cannot pose as parts of the page. */
export const namePrefix = 'user-content-';

const forbiddenTags =
  'style form input button textarea select option optgroup dialog audio video source track picture template slot map area iframe frame object embed link meta base noscript marquee';
const forbiddenAttributes =
  'srcset sizes background poster ping action formaction autofocus tabindex contenteditable popover popovertarget slot part is download usemap ismap accesskey draggable';

/**
 * Takes the names from event handlers in tags, so that browsers need not report each one that the page's policy forbids
 * anyway. No guard: what is read is cleaned afterwards.
 */
export const withoutHandlers = (html: string): string =>
  html.replaceAll(/<[a-z][^>]*>/giu, (tag) => tag.replaceAll(/([\s"'/])on[a-z]+(?=\s*=)/giu, '$1data-off'));

/**
 * HTML of a user's file as nodes that can only be read: no scripts, no forms, no styles of its own unless asked for, no
 * requests but for images that `imageAt` allows. Links open in a tab of their own that knows nothing of this one.
 */
export function cleanHtml(
  html: string,
  { linkTo, imageAt, keepsStyle = false }: CleanOptions,
): DocumentFragment {
  // One purifier per call: its hooks belong to this document. They run before the nodes can load anything.
  const purifier = createPurifier(window);
  purifier.addHook('afterSanitizeAttributes', (node) => {
    if (node.localName === 'a') settleLink(node, linkTo);
    if (node.localName === 'img') settleImage(node, imageAt);
  });
  return purifier.sanitize(withoutHandlers(html), {
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

function settleLink(link: Element, linkTo: DocumentLocation['linkTo']): void {
  const written = link.getAttribute('href');
  if (written === null) return;
  if (written.startsWith('#')) {
    link.setAttribute('href', `#${namePrefix}${written.slice(1)}`);
    link.removeAttribute('target');
    return;
  }
  const address = linkTo(written);
  if (address === null) {
    link.removeAttribute('href');
    return;
  }
  link.setAttribute('href', address);
  link.setAttribute('target', '_blank');
  link.setAttribute('rel', 'noopener noreferrer');
}

function settleImage(image: Element, imageAt: DocumentLocation['imageAt']): void {
  const written = image.getAttribute('src');
  const address = written === null ? null : imageAt(written);
  if (address === null) {
    image.replaceWith(image.getAttribute('alt') ?? '');
    return;
  }
  image.setAttribute('src', address);
  image.setAttribute('loading', 'lazy');
  image.setAttribute('decoding', 'async');
}
