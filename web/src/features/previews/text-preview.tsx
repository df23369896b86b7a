import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { lazy, Suspense } from 'react';
import { textPreviewOf } from './has-text-preview.ts';

const MarkdownView = lazy(async () => ({ default: (await import('./html/markdown-view.tsx')).MarkdownView }));
const CsvView = lazy(async () => ({ default: (await import('./tables/csv-view.tsx')).CsvView }));

interface TextPreviewProps {
  path: VirtualPath;
  text: string;
  /** Returns the address of the page that shows a file. */
  addressOf: (path: VirtualPath) => string;
}

/** Renders Markdown as a page and separated values as a table. */
export function TextPreview({ path, text, addressOf }: TextPreviewProps) {
  return (
    <Suspense fallback={null}>
      {textPreviewOf(path) === 'markdown' ? (
        <MarkdownView text={text} path={path} addressOf={addressOf} />
      ) : (
        <CsvView text={text} name={nameOf(path)} />
      )}
    </Suspense>
  );
}
