import { type RefObject, useId, useLayoutEffect } from 'react';
import { holdTyping, takeHeldTyping, typeInto } from '../../../../ui/keyboard/hold-typing.ts';
import { runAfterMenus } from '../../../../ui/overlays/run-after-dialogs.ts';
import styles from './name-field.module.css';

interface NameFieldProps {
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly label: string;
  readonly text: string;
  readonly error: string | null;
  /** The position of its row, in px of the rendered content. */
  readonly topPx: number;
  readonly startPx: number;
  readonly heightPx: number;
  /** Whether the name is below a picture. */
  readonly isTile?: boolean;
  readonly onChange: (text: string) => void;
  readonly onBlur: () => void;
  readonly onEnter: () => void;
  readonly onEscape: () => void;
}

/** A field over the row of an entry, with its error. */
export function NameField(props: NameFieldProps) {
  const { inputRef, label, text, error, topPx, startPx, heightPx, isTile = false } = props;
  const errorId = useId();
  return (
    <div
      className={styles.field}
      data-part="editor"
      data-tile={isTile || undefined}
      style={{
        insetInlineStart: `${startPx}px`,
        blockSize: `${heightPx}px`,
        transform: `translateY(${topPx}px)`,
      }}
    >
      <input
        ref={inputRef}
        className={styles.input}
        value={text}
        dir="auto"
        aria-label={label}
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : errorId}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => props.onChange(event.target.value)}
        onBlur={props.onBlur}
        onKeyDown={(event) => {
          // Keys typed into the field must not reach the listing and its actions.
          event.stopPropagation();
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') props.onEnter();
          else if (event.key === 'Escape') props.onEscape();
          else return;
          event.preventDefault();
        }}
      />
      {error !== null && (
        <div id={errorId} role="alert" className={styles.error}>
          {error}
        </div>
      )}
    </div>
  );
}

/**
 * Focuses a field that names an entry, and selects its text up to `end`. While a menu is still open, the field gets the focus once it
 * has closed. Characters typed until then are inserted into the field.
 */
export function useNameFocus(input: RefObject<HTMLInputElement | null>, end: number): void {
  useLayoutEffect(() => {
    const takeFocus = (): boolean => {
      input.current?.focus({ preventScroll: true });
      input.current?.setSelectionRange(0, end);
      return document.activeElement === input.current;
    };
    const takeTyping = (): void => {
      const typed = takeHeldTyping();
      if (input.current !== null) typeInto(input.current, typed);
    };
    // Focused synchronously, so that the next key reaches the field.
    if (takeFocus()) {
      takeTyping();
      return undefined;
    }
    // An open menu makes the page inert, and returns the focus to its button or row once it has closed.
    const release = holdTyping();
    runAfterMenus(() => {
      takeFocus();
      takeTyping();
    });
    return release;
  }, [input, end]);
}
