import { extensionOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';

const rendered: Readonly<Record<string, 'markdown' | 'table'>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.mdown': 'markdown',
  '.mkd': 'markdown',
  '.csv': 'table',
  '.tsv': 'table',
};

/** What a text is for its readers, by its name; null: nothing but text. */
export function textPreviewOf(path: VirtualPath): 'markdown' | 'table' | null {
  const ending = extensionOf(path).toLowerCase();
  return Object.hasOwn(rendered, ending) ? (rendered[ending] ?? null) : null;
}

/** Whether a text has a form that is better read than its source. */
export const hasTextPreview = (path: VirtualPath): boolean => textPreviewOf(path) !== null;
