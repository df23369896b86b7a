import { useEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { CodeView } from './code-view.ts';
import type { EditorSettings } from './editor-settings.ts';
import type { FileText } from './document/line-endings.ts';
import { applyPalette, type Palette } from './palettes.ts';
import { searchPhrases } from './search-phrases.ts';

interface EditedText {
  text: FileText;
  name: string;
  isReadOnly: boolean;
  settings: EditorSettings;
  /** The id of the text that explains how to leave the editor by keyboard. */
  describedBy: string;
  /** The view keeps calling the function of the first render, so later ones must behave the same. */
  onChange: (text: FileText) => void;
  /** The pane beside the text, which scrolls with it. */
  preview: RefObject<HTMLElement | null>;
}

/** Scrolls a pane to the same fraction as the text beside it. */
function scrollAlong(pane: HTMLElement | null, scrolled: number): void {
  if (pane) pane.scrollTop = scrolled * (pane.scrollHeight - pane.clientHeight);
}

/**
 * Shows the code editor in `host` as long as the component is mounted. `codeRef` refers to its view; changes of
 * `options` are ignored.
 */
export function useCodeView(
  codeRef: RefObject<CodeView | null>,
  options: EditedText,
  { isDark, palette }: { isDark: boolean; palette: Palette | null },
) {
  const { t } = useTranslation('editor');
  const host = useRef<HTMLDivElement>(null);
  const [caret, setCaret] = useState({ line: 1, column: 1 });
  const [language, setLanguage] = useState<string | null>(null);
  const start = useRef({ ...options, isDark, t });
  useEffect(() => {
    if (!host.current) return undefined;
    const { t: translate, preview, ...first } = start.current;
    const view = new CodeView({
      ...first,
      parent: host.current,
      label: translate('text', { name: first.name }),
      phrases: searchPhrases(translate),
      onCaret: (line, column) => setCaret({ line, column }),
      onLanguage: setLanguage,
      onScroll: () => scrollAlong(preview.current, view.scrolled),
    });
    codeRef.current = view;
    view.view.focus();
    return () => {
      codeRef.current = null;
      view.close();
    };
  }, [codeRef]);
  useEffect(() => codeRef.current?.applyDark(isDark), [codeRef, isDark]);
  useEffect(() => {
    if (host.current) applyPalette(host.current, palette);
  }, [palette]);
  return { host, caret, language };
}
