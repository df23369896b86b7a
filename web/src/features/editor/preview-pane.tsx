import { useEffect, useState, type ReactNode, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileText } from './line-endings.ts';
import styles from './editor.module.css';

/** A text is rendered again so long after the last key press, in ms; a long one later. */
const quietMs = (length: number): number => (length > 200_000 ? 1000 : 150);

interface PreviewPaneProps {
  ref: Ref<HTMLElement>;
  text: FileText;
  render: (text: string) => ReactNode;
}

/** The text as readers will see it, while it is written. */
export function PreviewPane({ ref, text, render }: PreviewPaneProps) {
  const { t } = useTranslation('editor');
  const [shown, setShown] = useState(() => text.doc.toString());
  useEffect(() => {
    const timer = setTimeout(() => setShown(text.doc.toString()), quietMs(text.doc.length));
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <section ref={ref} className={styles.preview} aria-label={t('preview.label')} {...{ tabIndex: 0 }}>
      {render(shown)}
    </section>
  );
}
