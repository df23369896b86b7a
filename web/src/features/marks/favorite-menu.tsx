import { useTranslation } from '../../i18n/use-translation.ts';
import { ArrowDown, ArrowUp, Star } from '../../ui/icons.ts';
import { ContextMenu } from '../../ui/overlays/context-menu.tsx';
import { MenuItem, MenuSeparator } from '../../ui/overlays/menu.tsx';

interface FavoriteMenuProps {
  /** The displayed name of the favorite. */
  name: string;
  at: { x: number; y: number } | null;
  isFirst: boolean;
  isLast: boolean;
  /** Moves the favorite up (`-1`) or down (`1`). */
  onMove: (step: 1 | -1) => void;
  onRemove: () => void;
  onClose: () => void;
}

/** The menu of a favorite: its place in the list can be changed without dragging (WCAG 2.5.7). */
export function FavoriteMenu({ name, at, isFirst, isLast, onMove, onRemove, onClose }: FavoriteMenuProps) {
  const { t } = useTranslation('marks');
  return (
    <ContextMenu label={t('order.menu', { name })} at={at} onClose={onClose}>
      <MenuItem icon={<ArrowUp />} isDisabled={isFirst} onAction={() => onMove(-1)}>
        {t('order.up')}
      </MenuItem>
      <MenuItem icon={<ArrowDown />} isDisabled={isLast} onAction={() => onMove(1)}>
        {t('order.down')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Star />} onAction={onRemove}>
        {t('order.remove')}
      </MenuItem>
    </ContextMenu>
  );
}
