import { useEffect, useState, type ReactNode, type Ref } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import type { FileText } from './document/line-endings.ts';
import styles from './editor.module.css';

/** The delay after the last key press before a text is rendered again, in ms; longer for a long text. */
const renderDelayMs = (length: number): number => (length > 200_000 ? 1000 : 150);

interface PreviewPaneProps {
  ref: Ref<HTMLElement>;
  text: FileText;
  render: (text: string) => ReactNode;
}

/** Renders the text while it is edited. */
export function PreviewPane({ ref, text, render }: PreviewPaneProps) {
  const { t } = useTranslation('editor');
  const [shown, setShown] = useState(() => text.doc.toString());
  useEffect(() => {
    const timer = setTimeout(() => setShown(text.doc.toString()), renderDelayMs(text.doc.length));
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <section ref={ref} className={styles.preview} aria-label={t('preview.label')} {...{ tabIndex: 0 }}>
      {render(shown)}
    </section>
  );
}
