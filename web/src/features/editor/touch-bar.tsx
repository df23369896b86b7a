import { useTranslation } from 'react-i18next';
import { copyText } from '../../ui/copy-text.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { ClipboardPaste, Copy, Redo2, Scissors, Undo2 } from '../../ui/icons.ts';
import type { CodeView } from './code-view.ts';
import styles from './touch-bar.module.css';

/** What keys do elsewhere, for fingers. Presses leave the keyboard of the phone as it is. */
export function TouchBar({ code, isReadOnly }: { code: () => CodeView | null; isReadOnly: boolean }) {
  const { t } = useTranslation('editor');
  const copy = async () => {
    const view = code();
    if (view && view.selected !== '') await copyText(view.selected);
  };
  const cut = async () => {
    const view = code();
    if (view && view.selected !== '' && (await copyText(view.selected))) view.replaceSelected('');
  };
  const paste = async () => {
    try {
      code()?.replaceSelected(await navigator.clipboard.readText());
    } catch {
      // The browser did not allow it, and has said so itself.
    }
  };
  // Reading the clipboard is for secure contexts only.
  const canPaste =
    typeof (navigator as { clipboard?: Partial<Clipboard> }).clipboard?.readText === 'function';
  return (
    <div
      className={styles.bar}
      role="group"
      aria-label={t('touch.label')}
      onPointerDown={(event) => event.preventDefault()}
    >
      {!isReadOnly && (
        <>
          <IconButton
            label={t('touch.undo')}
            icon={<Undo2 />}
            hasTooltip={false}
            onClick={() => code()?.undo()}
          />
          <IconButton
            label={t('touch.redo')}
            icon={<Redo2 />}
            hasTooltip={false}
            onClick={() => code()?.redo()}
          />
          <IconButton
            label={t('touch.cut')}
            icon={<Scissors />}
            hasTooltip={false}
            onClick={() => void cut()}
          />
        </>
      )}
      <IconButton label={t('touch.copy')} icon={<Copy />} hasTooltip={false} onClick={() => void copy()} />
      {!isReadOnly && canPaste && (
        <IconButton
          label={t('touch.paste')}
          icon={<ClipboardPaste />}
          hasTooltip={false}
          onClick={() => void paste()}
        />
      )}
    </div>
  );
}
