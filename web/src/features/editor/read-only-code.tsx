import { bracketMatching } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { useCallback } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { editorTheme } from './editor-theme.ts';
import { detectLanguage } from './language-of.ts';
import styles from './read-only-code.module.css';
import { searchPhrases } from './search-phrases.ts';

interface ReadOnlyCodeProps {
  text: string;
  /** The file name, which determines the language. */
  name: string;
}

/** Shows a text with syntax highlighting, to be read and searched only. Always dark, like the previewer. */
export function ReadOnlyCode({ text, name }: ReadOnlyCodeProps) {
  const { t } = useTranslation('editor');
  const show = useCallback(
    (host: HTMLDivElement | null) => {
      if (!host) return undefined;
      const language = new Compartment();
      const view = new EditorView({
        parent: host,
        doc: text,
        extensions: [
          lineNumbers(),
          highlightSpecialChars(),
          drawSelection(),
          bracketMatching(),
          highlightSelectionMatches(),
          search({ top: true }),
          keymap.of(searchKeymap),
          editorTheme,
          EditorView.darkTheme.of(true),
          EditorView.lineWrapping,
          EditorView.perLineTextDirection.of(true),
          EditorState.readOnly.of(true),
          EditorView.editable.of(false),
          EditorState.phrases.of(searchPhrases(t)),
          EditorView.contentAttributes.of({ 'aria-label': t('text', { name }), tabindex: '0' }),
          language.of([]),
        ],
      });
      let isDestroyed = false;
      const highlight = async () => {
        try {
          const support = await detectLanguage(name, view.state.doc.line(1).text)?.load();
          if (support && !isDestroyed) view.dispatch({ effects: language.reconfigure(support) });
        } catch {
          // Highlighting is optional: without it the text can still be read.
        }
      };
      void highlight();
      return () => {
        isDestroyed = true;
        view.destroy();
      };
    },
    [text, name, t],
  );
  // As in the editor, line numbers are on the left and each line has the direction of its own characters.
  return <div ref={show} className={styles.code} role="region" aria-label={name} dir="ltr" />;
}
