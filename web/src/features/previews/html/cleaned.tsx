import { useCallback } from 'react';
import { classes } from '../../../ui/classes.ts';
import styles from './prose.module.css';

interface CleanedProps {
  /** Made anew for each text; shown as it is. */
  fragment: DocumentFragment;
  className?: string | undefined;
  lang?: string | undefined;
  /** Follows a link within the document, such as `#place`. Left out: scrolls to what it names. */
  onFollow?: ((href: string) => void) | undefined;
}

/** Cleaned nodes of a document, set like a page of a book. */
export function Cleaned({ fragment, className, lang, onFollow }: CleanedProps) {
  const fill = useCallback(
    (box: HTMLDivElement | null) => {
      if (!box) return undefined;
      box.replaceChildren(fragment.cloneNode(true));
      const follow = (event: MouseEvent) => {
        const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
        const href = link?.getAttribute('href');
        if (href === null || href === undefined) return;
        // The address bar belongs to the page.
        event.preventDefault();
        if (onFollow) onFollow(href);
        else box.querySelector(`[id="${CSS.escape(nameIn(href))}"]`)?.scrollIntoView({ block: 'start' });
      };
      box.addEventListener('click', follow);
      return () => box.removeEventListener('click', follow);
    },
    [fragment, onFollow],
  );
  return <div ref={fill} className={classes(styles.prose, className)} dir="auto" lang={lang} />;
}

/** The name in `#name`, decoded where it is written so. */
function nameIn(href: string): string {
  try {
    return decodeURIComponent(href.slice(1));
  } catch {
    return href.slice(1);
  }
}
