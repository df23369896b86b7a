import { useCallback } from 'react';
import { classes } from '../../../ui/classes.ts';
import styles from './prose.module.css';

interface CleanedProps {
  /** The sanitized nodes; a new fragment for each text. */
  fragment: DocumentFragment;
  className?: string | undefined;
  lang?: string | undefined;
  /** Follows a link within the document, such as `#chapter-2`. By default the target is scrolled into view. */
  onFollow?: ((href: string) => void) | undefined;
}

/** Renders the sanitized nodes of a document as a readable page. */
export function CleanedDocument({ fragment, className, lang, onFollow }: CleanedProps) {
  const fill = useCallback(
    (box: HTMLDivElement | null) => {
      if (!box) return undefined;
      box.replaceChildren(fragment.cloneNode(true));
      const follow = (event: MouseEvent) => {
        const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
        const href = link?.getAttribute('href');
        if (href === null || href === undefined) return;
        // Links within the document must not change the page's own address.
        event.preventDefault();
        if (onFollow) onFollow(href);
        else
          box.querySelector(`[id="${CSS.escape(fragmentName(href))}"]`)?.scrollIntoView({ block: 'start' });
      };
      box.addEventListener('click', follow);
      return () => box.removeEventListener('click', follow);
    },
    [fragment, onFollow],
  );
  return <div ref={fill} className={classes(styles.prose, className)} dir="auto" lang={lang} />;
}

/** Returns the decoded name in `#name`. */
function fragmentName(href: string): string {
  try {
    return decodeURIComponent(href.slice(1));
  } catch {
    return href.slice(1);
  }
}
