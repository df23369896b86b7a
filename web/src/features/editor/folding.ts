import { codeFolding, foldGutter } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

/** Returns the element that stands for folded lines; a press on it unfolds them. */
function createPlaceholder({ state, contentDOM }: EditorView, unfold: (event: Event) => void): HTMLElement {
  const element = document.createElement('span');
  element.className = 'cm-foldPlaceholder';
  element.textContent = '…';
  element.title = state.phrase('unfold');
  element.setAttribute('aria-label', state.phrase('folded code'));
  // A press would move the caret to the brackets around the element. Highlighting them replaces the element, and the
  // click would be lost.
  element.addEventListener('mousedown', (event) => event.preventDefault());
  element.addEventListener('click', (event) => {
    unfold(event);
    contentDOM.focus({ preventScroll: true });
  });
  return element;
}

/** Folding of lines, with arrows beside them. */
export const folding: Extension = [codeFolding({ placeholderDOM: createPlaceholder }), foldGutter()];
