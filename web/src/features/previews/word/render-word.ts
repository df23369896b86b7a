import { parseAsync, renderDocument } from 'docx-preview';
import { strToU8, zipSync } from 'fflate';
import { unpack, xmlIn } from '../archives/unpack.ts';
import { cleanHtml, isOutsideLink } from '../html/clean-html.ts';

const options = {
  className: 'docx',
  inWrapper: false,
  // Fonts of the document would be fetched from addresses that the page's policy refuses.
  ignoreFonts: true,
  // Whole pages of HTML within the document.
  renderAltChunks: false,
  renderComments: false,
  useBase64URL: true,
};

/** Styles of a document without anything that asks for a further file. */
export const quietStyles = (css: string): string =>
  css.replaceAll(/@import[^;]*;?/giu, '').replaceAll(/url\s*\([^)]*\)?/giu, 'none');

/** A page-wise rendering of a document (docx) as nodes that can only be read, with the styles they need. */
export async function renderWord(
  bytes: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Promise<{ fragment: DocumentFragment; styles: string }> {
  // Unpacked here, within limits, and packed again without compression for the renderer.
  const files = {
    ...(await unpack(bytes, signal, (name) => !/^word\/(?:vbaProject|embeddings\/)/iu.test(name))),
  };
  if (!xmlIn(files, 'word/document.xml')) throw new Error('There is no document in it.');
  for (const name of Object.keys(files)) {
    if (!name.endsWith('.rels')) continue;
    const relations = xmlIn(files, name);
    if (!relations) continue;
    let isChanged = false;
    for (const relation of relations.querySelectorAll('Relationship')) {
      const target = relation.getAttribute('Target') ?? '';
      const isOutside = relation.getAttribute('TargetMode') === 'External';
      if (!isOutside || (relation.getAttribute('Type')?.endsWith('/hyperlink') && isOutsideLink(target)))
        continue;
      relation.remove();
      isChanged = true;
    }
    if (isChanged) files[name] = new Uint8Array(strToU8(new XMLSerializer().serializeToString(relations)));
  }
  for (const name of Object.keys(files)) {
    // The renderer takes a theme for whole.
    const isTheme = /^word\/theme\/[^/]+\.xml$/iu.test(name);
    if (isTheme && !xmlIn(files, name)?.getElementsByTagNameNS('*', 'themeElements').length)
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
    linkTo: (written) => (isOutsideLink(written) ? written : null),
    imageAt: (written) => (/^data:image\/(?!svg)/iu.test(written) ? written : null),
  });
  for (const styled of fragment.querySelectorAll('[style]')) {
    styled.setAttribute('style', quietStyles(styled.getAttribute('style') ?? ''));
  }
  return { fragment, styles: quietStyles(styles) };
}
