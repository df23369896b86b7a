import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useMemo } from 'react';
import { useFileAddresses } from '../file-addresses.ts';
import { Cleaned } from './cleaned.tsx';
import { cleanHtml } from './clean-html.ts';
import { placeOf } from './document-place.ts';
import styles from './markdown-view.module.css';
import { renderMarkdown } from './render-markdown.ts';

export interface MarkdownViewProps {
  text: string;
  /** Where the text lies: what its relative links and images are looked up from. Without it they are left out. */
  path?: VirtualPath | undefined;
  /** The page that shows a file. */
  addressOf?: ((path: VirtualPath) => string) | undefined;
}

/** Markdown as it is meant to be read. Nothing in it can act, and nothing of strangers is loaded. */
export function MarkdownView({ text, path, addressOf }: MarkdownViewProps) {
  const addresses = useFileAddresses();
  const fragment = useMemo(
    () => cleanHtml(renderMarkdown(text), placeOf(path ?? null, addressOf, addresses)),
    [text, path, addressOf, addresses],
  );
  return (
    <div className={styles.page}>
      <Cleaned fragment={fragment} />
    </div>
  );
}
