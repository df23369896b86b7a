import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useMemo } from 'react';
import { useFileAddresses } from '../file-addresses.ts';
import { CleanedDocument } from './cleaned-document.tsx';
import { cleanHtml } from './clean-html.ts';
import { documentLocation } from './document-location.ts';
import styles from './markdown-view.module.css';
import { renderMarkdown } from './render-markdown.ts';

export interface MarkdownViewProps {
  text: string;
  /** The path of the text, from which its relative links and images are resolved. Without it they are left out. */
  path?: VirtualPath | undefined;
  /** Returns the address of the page that shows a file. */
  addressOf?: ((path: VirtualPath) => string) | undefined;
}

/** Renders Markdown as a page. The content is inert, and nothing is loaded from other hosts. */
export function MarkdownView({ text, path, addressOf }: MarkdownViewProps) {
  const addresses = useFileAddresses();
  const fragment = useMemo(
    () => cleanHtml(renderMarkdown(text), documentLocation(path ?? null, addressOf, addresses)),
    [text, path, addressOf, addresses],
  );
  return (
    <div className={styles.page}>
      <CleanedDocument fragment={fragment} />
    </div>
  );
}
