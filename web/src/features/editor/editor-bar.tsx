import { useTranslation } from '../../i18n/use-translation.ts';
import { formatTime } from '../../i18n/format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Columns2, Download, PencilLine, Save, Search, X } from '../../ui/icons.ts';
import type { EditState } from './document/edit-session.ts';
import { EditorTitle } from './editor-title.tsx';
import styles from './editor.module.css';

interface EditorBarProps {
  name: string;
  state: EditState;
  onClose: () => void;
  /** Absent while the rendered text is read. */
  onSearch: (() => void) | undefined;
  /** Absent where there is no preview beside the text. */
  preview: { isShown: boolean; toggle: () => void } | undefined;
  /** Shows the text itself; absent while it is shown. */
  reading: { edit: () => void; isReadOnly: boolean } | undefined;
  /** Absent without the permission to download. */
  onDownload: (() => void) | undefined;
  /** Absent for read-only texts. */
  onSave: (() => void) | undefined;
}

/** The bar above the text: title, state and actions. */
export function EditorBar(props: EditorBarProps) {
  const { name, state, onClose, onSearch, preview, reading, onDownload, onSave } = props;
  const { t } = useTranslation('editor');
  return (
    <div className={styles.bar}>
      <IconButton label={t('close')} icon={<X />} onClick={onClose} />
      <EditorTitle name={name} isDirty={state.isDirty} />
      <SaveState state={state} />
      <div className={styles.actions}>
        {onSearch && <IconButton label={t('find')} shortcut="Mod+F" icon={<Search />} onClick={onSearch} />}
        {preview && (
          <IconButton
            label={t('preview.show')}
            icon={<Columns2 />}
            isPressed={preview.isShown}
            onClick={preview.toggle}
          />
        )}
        {onDownload && <IconButton label={t('download')} icon={<Download />} onClick={onDownload} />}
        {reading && (
          <Button
            variant={reading.isReadOnly ? 'secondary' : 'primary'}
            icon={<PencilLine />}
            aria-keyshortcuts="E"
            onClick={reading.edit}
          >
            {t(reading.isReadOnly ? 'preview.source' : 'preview.edit')}
          </Button>
        )}
        {onSave && !reading && (
          <Button
            variant="primary"
            icon={<Save />}
            isDisabled={!state.isDirty && !state.isSaving}
            isPending={state.isSaving}
            aria-keyshortcuts="Control+S Meta+S"
            onClick={onSave}
          >
            {t('save')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Shows that the text is being saved, or when it was saved. */
function SaveState({ state }: { state: EditState }) {
  const { t } = useTranslation('editor');
  return (
    <span className={styles.state} role="status">
      {state.isSaving
        ? t('saving')
        : state.isDirty
          ? ''
          : state.savedMs !== null && t('saved', { time: formatTime(state.savedMs) })}
    </span>
  );
}
