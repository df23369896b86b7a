import { Suspense, type ComponentType, lazy } from 'react';
import { LoadedDocument, type DocumentViewProps } from './loading/loaded-document.tsx';
import type { DocumentKind } from './preview-entry.ts';

/** The view of each kind of document, loaded on demand. */
const views: Readonly<Record<DocumentKind, ComponentType<DocumentViewProps>>> = {
  archive: lazy(async () => ({ default: (await import('./archives/archive-view.tsx')).ArchiveView })),
  book: lazy(async () => ({ default: (await import('./books/book-view.tsx')).BookView })),
  font: lazy(async () => ({ default: (await import('./fonts/font-view.tsx')).FontView })),
  word: lazy(async () => ({ default: (await import('./word/word-view.tsx')).WordView })),
  workbook: lazy(async () => ({ default: (await import('./tables/workbook-view.tsx')).WorkbookView })),
};

interface DocumentStageProps extends DocumentViewProps {
  kind: DocumentKind;
}

/** Shows a document that is parsed in the page: an archive, book, font, text document or workbook. */
export function DocumentStage({ kind, ...props }: DocumentStageProps) {
  const View = views[kind];
  return (
    <Suspense
      fallback={
        <LoadedDocument loaded={{ kind: 'loading' }} {...props}>
          {() => null}
        </LoadedDocument>
      }
    >
      <View key={props.url} {...props} />
    </Suspense>
  );
}
