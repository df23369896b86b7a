import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The percentage of the text color in the background of the active line. */
export const activeLinePercent = 3;

/** Styles the editor with the product's design tokens, which follow the theme, unless a palette overrides them. */
const surface = EditorView.theme({
  '&': {
    blockSize: '100%',
    background: 'var(--code-surface, var(--surface))',
    color: 'var(--code-text, var(--text))',
  },
  '&.cm-focused': { outline: 'none' },
  // Ligatures are off, so that the displayed characters are those of the file.
  '.cm-scroller': {
    font: 'var(--type-code)',
    // The size is set by the editor; the line height is 22 px for 14 px, as everywhere.
    fontSize: 'var(--editor-font-size)',
    lineHeight: '1.5714',
    fontVariantLigatures: 'none',
    overflow: 'auto',
  },
  '.cm-content': { padding: 'var(--space-2) 0', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 var(--space-4) 0 var(--space-2)' },
  '.cm-cursor, .cm-dropCursor': { borderInlineStartColor: 'var(--accent)', borderInlineStartWidth: '2px' },
  '.cm-gutters': {
    background: 'var(--code-surface, var(--surface))',
    color: 'var(--code-muted, var(--text-subtle))',
    border: 'none',
  },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 var(--space-2) 0 var(--space-4)' },
  '.cm-foldGutter .cm-gutterElement': {
    minInlineSize: '16px',
    textAlign: 'center',
    cursor: 'pointer',
    '&:hover': { color: 'var(--code-text, var(--text))' },
  },
  '.cm-foldPlaceholder': {
    margin: '0 var(--space-1)',
    padding: '0 var(--space-2)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius-control)',
    background: 'color-mix(in srgb, var(--code-text, var(--text)) 8%, transparent)',
    color: 'var(--code-text, var(--text))',
  },
  '.cm-activeLine, .cm-activeLineGutter': {
    background: `color-mix(in srgb, var(--code-text, var(--text)) ${activeLinePercent}%, transparent)`,
  },
  '.cm-activeLineGutter': { color: 'var(--code-text, var(--text))' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--code-selection, light-dark(#bcd3fb, #2f4f8a))',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    background: 'var(--selected)',
    outline: '1px solid var(--accent)',
  },
  '.cm-selectionMatch': { background: 'color-mix(in srgb, var(--accent) 8%, transparent)' },
  // An outline instead of a background, which would reduce the contrast of colored words.
  '.cm-searchMatch': {
    background: 'color-mix(in srgb, var(--warning) 6%, transparent)',
    outline: '1px solid var(--warning)',
  },
  '.cm-searchMatch-selected': { outlineWidth: '2px' },
  '.cm-specialChar': { color: 'var(--danger)' },
  '.cm-panels': {
    // On low pages, such as those enlarged to 400 %, it scrolls and leaves a line of the text visible.
    maxBlockSize: '75%',
    overflowY: 'auto',
    background: 'var(--raised)',
    color: 'var(--text)',
    font: 'var(--type-secondary)',
  },
  '.cm-panels-top': { borderBlockEnd: '1px solid var(--line)' },
  '.cm-panels-bottom': { borderBlockStart: '1px solid var(--line)' },
  '.cm-panel.cm-search, .cm-panel.cm-gotoLine, .cm-panel.cm-dialog': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: 'var(--space-2)',
    padding: 'var(--space-2) var(--space-7) var(--space-2) var(--space-4)',
    position: 'relative',
  },
  '.cm-panel.cm-search br': { flexBasis: '100%', blockSize: '0', content: '""' },
  '.cm-panel label': { display: 'inline-flex', alignItems: 'center', gap: 'var(--space-2)', font: 'inherit' },
  '.cm-panel.cm-search input[type=checkbox]': {
    flex: 'none',
    margin: '0',
    inlineSize: '16px',
    blockSize: '16px',
    accentColor: 'var(--accent)',
  },
  '.cm-panel.cm-search label, .cm-panel.cm-search input, .cm-panel.cm-search button': {
    margin: '0',
    fontSize: 'inherit',
  },
  // Closer to its own checkbox than to the next one.
  '.cm-panel.cm-search label': { marginInlineEnd: 'var(--space-2)' },
  '.cm-panel.cm-search .cm-textfield': { flex: '1 1 136px', minInlineSize: '0', maxInlineSize: '208px' },
  '.cm-textfield': {
    minBlockSize: 'var(--control-height-small)',
    padding: '0 var(--space-2)',
    border: '1px solid var(--control-line)',
    borderRadius: 'var(--radius-control)',
    background: 'var(--surface)',
    color: 'var(--text)',
    font: 'inherit',
  },
  '.cm-button': {
    minBlockSize: 'var(--control-height-small)',
    padding: '0 var(--space-3)',
    border: '1px solid var(--button-line)',
    borderRadius: 'var(--radius-control)',
    background: 'var(--raised)',
    backgroundImage: 'none',
    color: 'var(--text)',
    font: 'inherit',
    fontWeight: '500',
    '&:hover': { background: 'var(--hover-raised)' },
    '&:active': { background: 'var(--press)', backgroundImage: 'none' },
  },
  '.cm-panel.cm-search [name=close], .cm-panel .cm-dialog-close': {
    position: 'absolute',
    insetBlockStart: 'var(--space-2)',
    right: 'var(--space-2)',
    inlineSize: 'var(--control-height-small)',
    blockSize: 'var(--control-height-small)',
    color: 'var(--text-muted)',
    fontSize: '1.125rem',
  },
});

/** Each color has a contrast of at least 4.5 to 1 on the surface of both themes and of every palette. */
const colors = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.controlKeyword],
    color: 'var(--code-keyword, var(--kind-audio))',
  },
  {
    tag: [tags.string, tags.special(tags.string), tags.inserted],
    color: 'var(--code-string, var(--kind-sheet))',
  },
  {
    tag: [tags.number, tags.bool, tags.null, tags.atom, tags.unit],
    color: 'var(--code-number, var(--kind-archive))',
  },
  { tag: [tags.regexp, tags.escape, tags.invalid, tags.deleted], color: 'var(--code-regexp, var(--danger))' },
  {
    tag: [
      tags.function(tags.variableName),
      tags.function(tags.propertyName),
      tags.typeName,
      tags.className,
      tags.tagName,
    ],
    color: 'var(--code-name, var(--kind-document))',
  },
  {
    tag: [tags.propertyName, tags.attributeName, tags.labelName],
    color: 'var(--code-property, var(--kind-code))',
  },
  {
    tag: [tags.comment, tags.meta, tags.docComment],
    color: 'var(--code-muted, var(--text-muted))',
    fontStyle: 'italic',
  },
  { tag: [tags.link, tags.url], color: 'var(--code-name, var(--accent))', textDecoration: 'underline' },
  { tag: tags.heading, fontWeight: '700' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
]);

export const editorTheme: Extension = [surface, syntaxHighlighting(colors)];
