import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../../i18n/use-translation.ts';
import { FileIcon } from '../../../../ui/names/file-icon.tsx';
import { holdPage } from '../../../../ui/navigation/hold-page.ts';
import { runAfterMenus } from '../../../../ui/overlays/run-after-dialogs.ts';
import styles from '../listing.module.css';

export interface NewFolderFieldProps {
  /** The position of its row, in px of the rendered content. */
  readonly topPx: number;
  readonly heightPx: number;
  readonly startPx: number;
  readonly check: (name: string) => string | null;
  /** Creates the folder; resolves with the reason if that failed. */
  readonly create: (name: string) => Promise<string | null>;
  /** Called when the row has to be removed. `isByKey`: the focus returns to the listing. */
  readonly onDone: (isByKey: boolean) => void;
}

/**
 * The row in which a new folder is named: Enter or leaving the field creates the folder, Escape cancels. If the folder cannot be
 * created, the row stays and shows the reason.
 */
export function NewFolderField({ topPx, heightPx, startPx, check, create, onDone }: NewFolderFieldProps) {
  const { t } = useTranslation('listing');
  const input = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const [text, setText] = useState(() => t('newFolderName'));
  const [error, setError] = useState<string | null>(null);
  const isPending = useRef(false);

  useLayoutEffect(() => {
    const takeFocus = (): void => {
      input.current?.focus({ preventScroll: true });
      input.current?.select();
    };
    // Focused synchronously, so that the next key reaches the field.
    takeFocus();
    // An open menu makes the page inert, and returns the focus to its button once it has closed.
    if (document.activeElement !== input.current) runAfterMenus(takeFocus);
  }, []);
  useEffect(() => holdPage(), []);

  const submit = async (isByKey: boolean): Promise<void> => {
    const name = text.trim();
    if (isPending.current) return;
    const problem = check(name);
    if (name === '' || (problem !== null && !isByKey)) onDone(isByKey);
    else if (problem !== null) setError(problem);
    else {
      isPending.current = true;
      const failure = await create(name);
      isPending.current = false;
      if (failure === null) onDone(isByKey);
      else setError(failure);
    }
  };
  return (
    <>
      <div
        className={styles.newRow}
        style={{ blockSize: `${heightPx}px`, transform: `translateY(${topPx}px)` }}
        aria-hidden="true"
      >
        <FileIcon kind="folder" />
      </div>
      <div
        className={styles.renameField}
        data-part="editor"
        style={{
          insetInlineStart: `${startPx}px`,
          blockSize: `${heightPx}px`,
          transform: `translateY(${topPx}px)`,
        }}
      >
        <input
          ref={input}
          className={styles.renameInput}
          value={text}
          dir="auto"
          aria-label={t('newFolderLabel')}
          aria-invalid={error !== null}
          aria-describedby={error === null ? undefined : errorId}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            setText(event.target.value);
            setError(null);
          }}
          onBlur={() => {
            // A shown error stays until the user has read it.
            if (error === null) void submit(false);
          }}
          onKeyDown={(event) => {
            // Keys typed into the field must not reach the listing and its actions.
            event.stopPropagation();
            if (event.nativeEvent.isComposing) return;
            if (event.key === 'Enter') void submit(true);
            else if (event.key === 'Escape' && !isPending.current) onDone(true);
            else return;
            event.preventDefault();
          }}
        />
        {error !== null && (
          <div id={errorId} role="alert" className={styles.renameError}>
            {error}
          </div>
        )}
      </div>
    </>
  );
}
