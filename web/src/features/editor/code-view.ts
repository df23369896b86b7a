import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, redo, undo } from '@codemirror/commands';
import { bracketMatching, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
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
import { folding } from './folding.ts';
import { detectIndentation } from './indentation.ts';
import type { FileText, TextForm } from './document/line-endings.ts';
import { isProse, detectLanguage } from './language-of.ts';

export interface CodeViewOptions {
  parent: HTMLElement;
  /** The file name, which determines the language. */
  name: string;
  text: FileText;
  /** The accessible name of the text field. */
  label: string;
  /** The id of the element with its accessible description. */
  describedBy: string;
  isReadOnly: boolean;
  isDark: boolean;
  settings: EditorSettings;
  /** Translations of CodeMirror's English phrases. */
  phrases: Readonly<Record<string, string>>;
  onChange: (text: FileText) => void;
  /** Called when the caret moves; line and column are counted from 1. */
  onCaret: (line: number, column: number) => void;
  onScroll: () => void;
  /** Called once the syntax of a language is loaded. */
  onLanguage: (name: string) => void;
}

/**
 * The text field: CodeMirror, configured for the product, together with the form of the file (line endings, byte
 * order mark).
 */
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
    this.view = new EditorView({ parent: options.parent, state: this.#createState(options.text.doc) });
    this.#showFont(options.settings.fontSize);
    this.view.scrollDOM.addEventListener('scroll', () => options.onScroll());
    void this.#loadLanguage();
  }

  /** Replaces the text and its undo history, and scrolls to the beginning. */
  replace({ doc, form }: FileText): void {
    this.#form = form;
    this.view.setState(this.#createState(doc));
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

  /** The selected text; several selections are joined by line breaks. */
  get selected(): string {
    const { ranges } = this.view.state.selection;
    return ranges.map(({ from, to }) => this.view.state.sliceDoc(from, to)).join(this.view.state.lineBreak);
  }

  /** Replaces the selection with `text`. */
  replaceSelected(text: string): void {
    this.view.dispatch(this.view.state.replaceSelection(text), { scrollIntoView: true });
    this.view.focus();
  }

  /** The scroll position, from 0 to 1. */
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

  #createState(doc: Text): EditorState {
    return EditorState.create({ doc, extensions: this.#extensions(doc) });
  }

  #extensions(doc: Text): Extension {
    const { name, isReadOnly, isDark, label, describedBy, phrases, settings, onChange, onCaret } =
      this.#options;
    const language = detectLanguage(name, doc.line(1).text);
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
      // Added before the language is loaded, so that the text does not shift.
      language ? folding : [],
      // Prose often contains single quotation marks and brackets.
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
      indentUnit.of(detectIndentation(doc)),
      EditorState.readOnly.of(isReadOnly),
      EditorState.phrases.of(phrases),
      // Files may contain any script: each line has the direction of its own characters.
      EditorView.perLineTextDirection.of(true),
      EditorView.contentAttributes.of({
        'aria-label': label,
        'aria-readonly': String(isReadOnly),
        'aria-describedby': describedBy,
        // Editable content is focusable by itself; read-only content and accessibility checkers need the attribute.
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
    const description = detectLanguage(this.#options.name, this.view.state.doc.line(1).text);
    if (!description) return;
    try {
      const support = await description.load();
      if (this.#isClosed) return;
      this.view.dispatch({ effects: this.#language.reconfigure(support) });
      this.#options.onLanguage(description.name);
    } catch {
      // Highlighting is optional: without it the text can still be read and edited.
    }
  }
}
