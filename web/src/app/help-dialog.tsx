import { useTranslation } from 'react-i18next';
import { Dialog } from '../ui/dialog.tsx';
import { Kbd } from '../ui/kbd.tsx';
import styles from './help-dialog.module.css';

const general = [
  { text: 'help', keys: ['F1', '?'] },
  { text: 'sidebar', keys: ['['] },
  { text: 'escape', keys: ['Escape'] },
] as const;

const files = [
  { text: 'move', keys: ['↑', '↓'] },
  { text: 'range', keys: ['Shift+↑', 'Shift+↓'] },
  { text: 'selectAll', keys: ['Mod+A'] },
  { text: 'open', keys: ['Enter'] },
  { text: 'rename', keys: ['F2'] },
  { text: 'delete', keys: ['Delete'] },
  { text: 'cut', keys: ['Mod+X'] },
  { text: 'copy', keys: ['Mod+C'] },
  { text: 'paste', keys: ['Mod+V'] },
  { text: 'search', keys: ['Mod+F', '/'] },
  { text: 'save', keys: ['Mod+S'] },
  { text: 'details', keys: ['Mod+I'] },
] as const;

/** The keys, by where they work. */
export function HelpDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('app');
  const groups = [
    { title: t('help.general'), rows: general },
    { title: t('help.files'), rows: files },
  ];
  return (
    <Dialog title={t('help.title')} isOpen={isOpen} onClose={onClose}>
      {groups.map(({ title, rows }) => (
        <section key={title} className={styles.group}>
          <h3 className={styles.title}>{title}</h3>
          <dl>
            {rows.map(({ text, keys }) => (
              <div key={text} className={styles.row}>
                <dt>{t(`help.keys.${text}`)}</dt>
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
    </Dialog>
  );
}
