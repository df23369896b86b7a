import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit, LanguageDescription } from '@codemirror/language';
import { languages } from '@codemirror/language-data';
import {
  gotoLine,
  highlightSelectionMatches,
  openSearchPanel,
  search,
  searchKeymap,
} from '@codemirror/search';
import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state';
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view';
import type { EditorSettings } from './editor-settings.ts';
import { editorTheme } from './editor-theme.ts';
import { indentationOf } from './indentation.ts';
import type { FileText, TextForm } from './line-endings.ts';

export interface CodeViewOptions {
  parent: HTMLElement;
  /** Decides the language. */
  name: string;
  text: FileText;
  /** The name of the text field for assistive technology. */
  label: string;
  isReadOnly: boolean;
  isDark: boolean;
  settings: EditorSettings;
  /** The editor's own English phrases in the language of the page. */
  phrases: Readonly<Record<string, string>>;
  onChange: (text: FileText) => void;
  /** The caret has moved; counted from 1. */
  onCaret: (line: number, column: number) => void;
  /** The language is known and its syntax is shown. */
  onLanguage: (name: string) => void;
}

/** The text field: CodeMirror with what a text of the product needs, and the form of the file beside it. */
export class CodeView {
  readonly view: EditorView;
  readonly #options: CodeViewOptions;
  readonly #language = new Compartment();
  readonly #wrapping = new Compartment();
  readonly #tabs = new Compartment();
  readonly #dark = new Compartment();
  #form: TextForm;
  #isClosed = false;

  constructor(options: CodeViewOptions) {
    this.#options = options;
    this.#form = options.text.form;
    this.view = new EditorView({ parent: options.parent, state: this.#stateOf(options.text.doc) });
    void this.#loadLanguage();
  }

  /** Shows another text from its beginning; there is no way back to the old one. */
  replace({ doc, form }: FileText): void {
    this.#form = form;
    this.view.setState(this.#stateOf(doc));
    void this.#loadLanguage();
  }

  apply({ isWrapped, tabSize }: EditorSettings): void {
    this.view.dispatch({
      effects: [
        this.#wrapping.reconfigure(isWrapped ? EditorView.lineWrapping : []),
        this.#tabs.reconfigure(EditorState.tabSize.of(tabSize)),
      ],
    });
  }

  applyDark(isDark: boolean): void {
    this.view.dispatch({ effects: this.#dark.reconfigure(EditorView.darkTheme.of(isDark)) });
  }

  openSearch(): void {
    openSearchPanel(this.view);
  }

  openGoToLine(): void {
    gotoLine(this.view);
  }

  close(): void {
    this.#isClosed = true;
    this.view.destroy();
  }

  #stateOf(doc: Text): EditorState {
    return EditorState.create({ doc, extensions: this.#extensions(doc) });
  }

  #extensions(doc: Text): Extension {
    const { isReadOnly, isDark, label, phrases, settings, onChange, onCaret } = this.#options;
    return [
      lineNumbers(),
      highlightActiveLineGutter(),
      highlightActiveLine(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      dropCursor(),
      rectangularSelection(),
      indentOnInput(),
      bracketMatching(),
      highlightSelectionMatches(),
      search({ top: true }),
      keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
      editorTheme,
      indentUnit.of(indentationOf(doc)),
      EditorState.readOnly.of(isReadOnly),
      EditorState.phrases.of(phrases),
      // File contents are code or prose in any script: each line goes the way its own letters go.
      EditorView.perLineTextDirection.of(true),
      EditorView.contentAttributes.of({
        'aria-label': label,
        'aria-readonly': String(isReadOnly),
        // Editable content is reached by Tab anyway; read-only content and tools that judge the page need it said.
        tabindex: '0',
      }),
      this.#language.of([]),
      this.#wrapping.of(settings.isWrapped ? EditorView.lineWrapping : []),
      this.#tabs.of(EditorState.tabSize.of(settings.tabSize)),
      this.#dark.of(EditorView.darkTheme.of(isDark)),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) {
          this.#form = { ...this.#form, others: this.#form.others.map(update.changes) };
          onChange({ doc: update.state.doc, form: this.#form });
        }
        if (update.docChanged || update.selectionSet) {
          const { head } = update.state.selection.main;
          const line = update.state.doc.lineAt(head);
          onCaret(line.number, head - line.from + 1);
        }
      }),
    ];
  }

  async #loadLanguage(): Promise<void> {
    const known = LanguageDescription.matchFilename(languages, this.#options.name);
    if (!known) return;
    try {
      const support = await known.load();
      if (this.#isClosed) return;
      this.view.dispatch({ effects: this.#language.reconfigure(support) });
      this.#options.onLanguage(known.name);
    } catch {
      // Without its syntax the text can be read and written as well as before.
    }
  }
}
