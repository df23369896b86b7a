import { useCallback } from 'react';
import { loadBytes } from '../loading/load-bytes.ts';
import { LoadedDocument, type DocumentViewProps } from '../loading/loaded-document.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { renderWord } from './render-word.ts';
import { ScrollArea } from '../scroll-area.tsx';
import styles from './word-view.module.css';

/** Maximum size of a document that is loaded. */
const limitBytes = 20 * 1024 * 1024;

/** Shows a text document (docx) read-only, in a shadow root that isolates its styles and clips it. */
export function WordView({ url, name, renderProblem }: DocumentViewProps) {
  const load = useCallback(
    async (signal: AbortSignal) => renderWord(await loadBytes(url, { signal, limitBytes }), signal),
    [url],
  );
  const loaded = useLoaded(load);
  return (
    <LoadedDocument loaded={loaded} name={name} renderProblem={renderProblem}>
      {(rendered) => (
        <ScrollArea className={styles.scroller} label={name}>
          <Paper {...rendered} />
        </ScrollArea>
      )}
    </LoadedDocument>
  );
}

const paperStyles = `
  :host { color: #1a1d21; }
  section { background: #fff; margin: 0 auto 24px; box-sizing: border-box; max-width: 100%; overflow-wrap: anywhere; }
  article { overflow-x: auto; }
  img { max-width: 100%; }
  a { color: #1f5fd6; }
`;

function Paper({ fragment, styles: css }: { fragment: DocumentFragment; styles: string }) {
  const fill = useCallback(
    (host: HTMLDivElement | null) => {
      if (!host) return;
      const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
      const sheet = document.createElement('style');
      sheet.textContent = `${css}\n${paperStyles}`;
      root.replaceChildren(sheet, fragment.cloneNode(true));
    },
    [fragment, css],
  );
  return <div ref={fill} className={styles.paper} dir="ltr" />;
}
