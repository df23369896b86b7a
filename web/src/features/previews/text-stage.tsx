import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { Suspense, useCallback, type ReactNode } from 'react';
import { decodeText } from './loading/decode-text.ts';
import { textPreviewOf } from './has-text-preview.ts';
import { loadBytes } from './loading/load-bytes.ts';
import { LoadedDocument, type DocumentViewProps } from './loading/loaded-document.tsx';
import { ScrollArea } from './scroll-area.tsx';
import { TextPreview } from './text-preview.tsx';
import styles from './text-stage.module.css';
import { useLoaded } from '../../ui/hooks/use-loaded.ts';

/** Maximum size of a text file that is loaded, as in the editor (docs/reference/behaviour.md §9). */
const limitBytes = 10 * 1024 * 1024;

/** Renders text files read-only. */
export interface TextViews {
  /** Renders code, and text without a rendered form. */
  readonly renderCode: (text: string, name: string) => ReactNode;
  /** Returns the address of the page that shows a file. Stable between renders. */
  readonly addressOf: (path: VirtualPath) => string;
}

interface TextStageProps extends DocumentViewProps {
  path: VirtualPath;
  views: TextViews;
}

/** Shows a text file read-only: Markdown as a page, separated values as a table, anything else as plain text. */
export function TextStage({ path, views, url, name, renderProblem }: TextStageProps) {
  const load = useCallback(
    async (signal: AbortSignal) => decodeText(await loadBytes(url, { signal, limitBytes })),
    [url],
  );
  const loaded = useLoaded(load);
  const kind = textPreviewOf(path);
  return (
    <LoadedDocument loaded={loaded} name={name} renderProblem={renderProblem}>
      {(text) => {
        if (kind === null) return <Suspense fallback={null}>{views.renderCode(text, name)}</Suspense>;
        const preview = <TextPreview path={path} text={text} addressOf={views.addressOf} />;
        if (kind === 'table') return preview;
        return (
          <ScrollArea className={styles.page} label={name}>
            {preview}
          </ScrollArea>
        );
      }}
    </LoadedDocument>
  );
}
