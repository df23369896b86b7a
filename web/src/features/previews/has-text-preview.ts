import { extensionOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';

const renderings: Readonly<Record<string, 'markdown' | 'table'>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.mdown': 'markdown',
  '.mkd': 'markdown',
  '.csv': 'table',
  '.tsv': 'table',
};

/** Returns how a text file is rendered, by its extension; null when it is shown as plain text. */
export function textPreviewOf(path: VirtualPath): 'markdown' | 'table' | null {
  const extension = extensionOf(path).toLowerCase();
  return Object.hasOwn(renderings, extension) ? (renderings[extension] ?? null) : null;
}

/** Whether a text file has a rendered form (Markdown, table). */
export const hasTextPreview = (path: VirtualPath): boolean => textPreviewOf(path) !== null;
