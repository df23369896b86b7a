import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../../i18n/use-translation.ts';
import { FileIcon } from '../../../../ui/names/file-icon.tsx';
import { holdPage } from '../../../../ui/navigation/hold-page.ts';
import { NameField, useNameFocus } from './name-field.tsx';
import styles from './name-field.module.css';

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
  const [initialName] = useState(() => t('newFolderName'));
  const [text, setText] = useState(initialName);
  const [error, setError] = useState<string | null>(null);
  const isPending = useRef(false);

  useNameFocus(input, initialName.length);
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
      <NameField
        inputRef={input}
        label={t('newFolderLabel')}
        text={text}
        error={error}
        topPx={topPx}
        startPx={startPx}
        heightPx={heightPx}
        onChange={(next) => {
          setText(next);
          setError(null);
        }}
        onBlur={() => {
          // A shown error stays until the user has read it.
          if (error === null) void submit(false);
        }}
        onEnter={() => void submit(true)}
        onEscape={() => {
          if (!isPending.current) onDone(true);
        }}
      />
    </>
  );
}
