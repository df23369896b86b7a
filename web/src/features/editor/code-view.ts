import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, redo, undo } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
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
import { isProse, languageOf } from './language-of.ts';

export interface CodeViewOptions {
  parent: HTMLElement;
  /** Decides the language. */
  name: string;
  text: FileText;
  /** The name of the text field for assistive technology. */
  label: string;
  /** The id of what else assistive technology says of it. */
  describedBy: string;
  isReadOnly: boolean;
  isDark: boolean;
  settings: EditorSettings;
  /** The editor's own English phrases in the language of the page. */
  phrases: Readonly<Record<string, string>>;
  onChange: (text: FileText) => void;
  /** The caret has moved; counted from 1. */
  onCaret: (line: number, column: number) => void;
  onScroll: () => void;
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
    this.#showFont(options.settings.fontSize);
    this.view.scrollDOM.addEventListener('scroll', () => options.onScroll());
    void this.#loadLanguage();
  }

  /** Shows another text from its beginning; there is no way back to the old one. */
  replace({ doc, form }: FileText): void {
    this.#form = form;
    this.view.setState(this.#stateOf(doc));
    void this.#loadLanguage();
  }

  apply({ isWrapped, tabSize, fontSize }: EditorSettings): void {
    this.#showFont(fontSize);
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

  undo(): void {
    undo(this.view);
  }

  redo(): void {
    redo(this.view);
  }

  /** The selected text; of several selections one per line. */
  get selected(): string {
    const { ranges } = this.view.state.selection;
    return ranges.map(({ from, to }) => this.view.state.sliceDoc(from, to)).join(this.view.state.lineBreak);
  }

  /** Puts `text` in the place of the selection. */
  replaceSelected(text: string): void {
    this.view.dispatch(this.view.state.replaceSelection(text), { scrollIntoView: true });
    this.view.focus();
  }

  /** How far the text is scrolled, from 0 to 1. */
  get scrolled(): number {
    const { scrollTop, scrollHeight, clientHeight } = this.view.scrollDOM;
    return scrollHeight > clientHeight ? scrollTop / (scrollHeight - clientHeight) : 0;
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

  #showFont(fontSize: number): void {
    this.view.dom.style.setProperty('--editor-font-size', `${fontSize}px`);
    this.view.requestMeasure();
  }

  #stateOf(doc: Text): EditorState {
    return EditorState.create({ doc, extensions: this.#extensions(doc) });
  }

  #extensions(doc: Text): Extension {
    const { name, isReadOnly, isDark, label, describedBy, phrases, settings, onChange, onCaret } =
      this.#options;
    const language = languageOf(name, doc.line(1).text);
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
      // There before the language itself, or the text would jump aside when that comes.
      language ? foldGutter() : [],
      // In prose a quotation mark or a bracket is more often meant alone.
      language && !isProse(language) ? closeBrackets() : [],
      bracketMatching(),
      highlightSelectionMatches(),
      search({ top: true }),
      keymap.of([
        { key: 'Ctrl-g', run: gotoLine, preventDefault: true },
        ...closeBracketsKeymap,
        ...foldKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...defaultKeymap,
        indentWithTab,
      ]),
      editorTheme,
      indentUnit.of(indentationOf(doc)),
      EditorState.readOnly.of(isReadOnly),
      EditorState.phrases.of(phrases),
      // File contents are code or prose in any script: each line goes the way its own letters go.
      EditorView.perLineTextDirection.of(true),
      EditorView.contentAttributes.of({
        'aria-label': label,
        'aria-readonly': String(isReadOnly),
        'aria-describedby': describedBy,
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
    const known = languageOf(this.#options.name, this.view.state.doc.line(1).text);
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
