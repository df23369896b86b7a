import { parseAsync, renderDocument } from 'docx-preview';
import { strToU8, zipSync } from 'fflate';
import { unpack, unpackedXml } from '../archives/unpack.ts';
import { cleanHtml, isOutsideLink } from '../html/clean-html.ts';

const options = {
  className: 'docx',
  inWrapper: false,
  // The page's policy refuses the addresses of the document's fonts.
  ignoreFonts: true,
  // Embedded HTML pages.
  renderAltChunks: false,
  renderComments: false,
  useBase64URL: true,
};

/** Removes everything from styles that requests another file. */
export const stripRequests = (css: string): string =>
  css.replaceAll(/@import[^;]*;?/giu, '').replaceAll(/url\s*\([^)]*\)?/giu, 'none');

/** Renders a document (docx) page by page as inert nodes, with the styles that they need. */
export async function renderWord(
  bytes: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Promise<{ fragment: DocumentFragment; styles: string }> {
  // Unpacked here within limits, and packed again without compression for the renderer.
  const files = {
    ...(await unpack(bytes, signal, (name) => !/^word\/(?:vbaProject|embeddings\/)/iu.test(name))),
  };
  if (!unpackedXml(files, 'word/document.xml')) throw new Error('The file contains no document.');
  for (const name of Object.keys(files)) {
    if (!name.endsWith('.rels')) continue;
    const relations = unpackedXml(files, name);
    if (!relations) continue;
    let isChanged = false;
    for (const relation of relations.querySelectorAll('Relationship')) {
      const target = relation.getAttribute('Target') ?? '';
      const isExternal = relation.getAttribute('TargetMode') === 'External';
      if (!isExternal || (relation.getAttribute('Type')?.endsWith('/hyperlink') && isOutsideLink(target)))
        continue;
      relation.remove();
      isChanged = true;
    }
    if (isChanged) files[name] = new Uint8Array(strToU8(new XMLSerializer().serializeToString(relations)));
  }
  for (const name of Object.keys(files)) {
    // The renderer expects every theme to be complete.
    const isTheme = /^word\/theme\/[^/]+\.xml$/iu.test(name);
    if (isTheme && !unpackedXml(files, name)?.getElementsByTagNameNS('*', 'themeElements').length)
      delete files[name];
  }
  signal.throwIfAborted();
  const packed = zipSync(files, { level: 0 });
  const nodes = await renderDocument(await parseAsync(packed, options), options);
  signal.throwIfAborted();
  let styles = '';
  let html = '';
  for (const node of nodes) {
    if (node instanceof HTMLStyleElement) styles += `${node.textContent}\n`;
    else if (node instanceof Element) html += node.outerHTML;
  }
  const fragment = cleanHtml(html, {
    keepsStyle: true,
    linkTo: (href) => (isOutsideLink(href) ? href : null),
    imageAt: (href) => (/^data:image\/(?!svg)/iu.test(href) ? href : null),
  });
  for (const element of fragment.querySelectorAll('[style]')) {
    element.setAttribute('style', stripRequests(element.getAttribute('style') ?? ''));
  }
  return { fragment, styles: stripRequests(styles) };
}
