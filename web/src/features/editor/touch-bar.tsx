import { useTranslation } from '../../i18n/use-translation.ts';
import { copyText } from '../../ui/copy-text.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { ClipboardPaste, Copy, Redo2, Scissors, Undo2 } from '../../ui/icons.ts';
import type { CodeView } from './code-view.ts';
import styles from './touch-bar.module.css';

/** Buttons for editing commands that touch devices have no keys for. A press keeps the on-screen keyboard open. */
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
      // The browser refused access and has notified the user.
    }
  };
  // Only secure contexts can read the clipboard.
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
