import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { displayName } from '../../../i18n/display-name.ts';
import { ChevronRight } from '../../../ui/icons.ts';
import { ancestorsOf } from '../header/ancestors.ts';
import styles from './destination-dialog.module.css';

const intoView = (element: HTMLElement | null): void =>
  element?.scrollIntoView({ block: 'nearest', inline: 'end' });

/** The breadcrumbs of the folder in a dialog; long ones scroll to their end. */
export function Crumbs({ path, onShow }: { path: VirtualPath; onShow: (path: VirtualPath) => void }) {
  const { t } = useTranslation('files');
  return (
    <nav className={styles.crumbs} aria-label={t('transfer.path')}>
      <ol>
        {ancestorsOf(path).map((ancestor) => {
          const isLast = ancestor === path;
          const name = ancestor === '/' ? t('root') : displayName(nameOf(ancestor));
          return (
            <li key={ancestor} ref={isLast ? intoView : undefined}>
              {ancestor !== '/' && <ChevronRight aria-hidden="true" />}
              {isLast ? (
                <bdi className={styles.crumb} aria-current="location">
                  {name}
                </bdi>
              ) : (
                <button type="button" className={styles.crumb} onClick={() => onShow(ancestor)}>
                  <bdi>{name}</bdi>
                </button>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
