import { useTranslation } from '../../i18n/use-translation.ts';
import { fileActions } from '../../features/files/actions/actions.ts';
import { listingKeys } from '../../features/files/listing/listing-keys.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Kbd } from '../../ui/keyboard/kbd.tsx';
import { isSingleKey, useSingleKeys } from '../../ui/keyboard/single-keys.ts';
import { editorKeys, playerKeys, previewKeys } from '../files/file-keys.ts';
import { frameActions } from './frame-actions.ts';
import styles from './help-dialog.module.css';

interface HelpDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onPalette: () => void;
}

interface KeyRow {
  text: string;
  keys: readonly string[];
}

/** All keys, grouped by context, from the tables of actions. */
export function HelpDialog({ isOpen, onClose, onPalette }: HelpDialogProps) {
  const { t } = useTranslation(['palette', 'files', 'previews', 'editor']);
  const hasSingleKeys = useSingleKeys();
  const withEnabledKeys = ({ text, keys }: KeyRow): KeyRow[] => {
    const shownKeys = keys.filter((key) => hasSingleKeys || !isSingleKey(key));
    return shownKeys.length > 0 ? [{ text, keys: shownKeys }] : [];
  };
  const groups: { title: string; rows: KeyRow[] }[] = [
    {
      title: t('keys.general'),
      rows: frameActions.map(({ id, keys }) => ({ text: t(`keys.${id}`), keys })),
    },
    {
      title: t('keys.files'),
      rows: fileActions
        .filter(({ keys }) => keys.length > 0)
        .map(({ id, keys }) => ({ text: t(`files:actions.${id}`), keys })),
    },
    {
      title: t('keys.listing'),
      rows: listingKeys.map(({ id, keys }) => ({ text: t(`keys.${id}`), keys })),
    },
    {
      title: t('keys.preview'),
      rows: previewKeys.map(({ text, keys }) => ({ text: t(text), keys })),
    },
    {
      title: t('keys.player'),
      rows: playerKeys.map(({ text, keys }) => ({ text: t(text), keys })),
    },
    {
      title: t('keys.editor'),
      rows: editorKeys.map(({ text, keys }) => ({ text: t(text), keys })),
    },
  ];
  return (
    <Dialog
      title={t('keys.title')}
      size="wide"
      isOpen={isOpen}
      onClose={onClose}
      footer={
        <Button
          onClick={() => {
            onClose();
            onPalette();
          }}
        >
          {t('allCommands')}
        </Button>
      }
    >
      <div className={styles.groups}>
        {groups.map(({ title, rows }) => (
          <section key={title} className={styles.group}>
            <h3 className={styles.title}>{title}</h3>
            <dl>
              {rows.flatMap(withEnabledKeys).map(({ text, keys }) => (
                <div key={text} className={styles.row}>
                  <dt>{text}</dt>
                  <dd className={styles.keys}>
                    {keys.map((key) => (
                      <Kbd key={key} shortcut={key} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
