import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Star } from '../../ui/icons.ts';
import { useIsFavorite } from './use-is-favorite.ts';
import styles from './favorite-button.module.css';

/** The star of an entry: filled for a favorite. */
export function FavoriteButton({
  path,
  onToggle,
}: {
  path: VirtualPath;
  onToggle: (() => void) | undefined;
}) {
  const { t } = useTranslation('app');
  const isFavorite = useIsFavorite(path);
  return (
    <IconButton
      className={styles.star}
      size="small"
      label={t('marks.favorite')}
      icon={<Star fill={isFavorite ? 'currentColor' : 'none'} />}
      isPressed={isFavorite}
      onClick={onToggle}
    />
  );
}
