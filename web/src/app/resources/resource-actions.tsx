import type { ComponentType } from 'react';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { EllipsisVertical } from '../../ui/icons.ts';
import { Menu, MenuItem, MenuTrigger } from '../../ui/overlays/menu.tsx';
import type { PaletteCommand } from '../palette/palette-command.ts';
import styles from './resource-page.module.css';

/** An action of the page of a folder outside the user's files, such as an archive. */
export interface ResourceAction {
  readonly id: string;
  readonly label: string;
  readonly icon: ComponentType;
  readonly isPrimary?: boolean;
  readonly isDangerous?: boolean;
  readonly run: () => void;
}

/** The actions of a page as buttons. */
export function ActionButtons({ actions }: { actions: readonly ResourceAction[] }) {
  return (
    <div className={styles.actions}>
      {actions.map(({ id, label, icon: Icon, isPrimary, isDangerous, run }) => (
        <Button
          key={id}
          icon={<Icon />}
          variant={isPrimary ? 'primary' : 'secondary'}
          className={isDangerous ? styles.dangerous : undefined}
          onClick={run}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

/** The actions of a page in a menu, for phones. Nothing if there are none. */
export function ActionMenu({ label, actions }: { label: string; actions: readonly ResourceAction[] }) {
  if (actions.length === 0) return null;
  return (
    <MenuTrigger>
      <IconButton label={label} icon={<EllipsisVertical />} hasTooltip={false} />
      <Menu placement="bottom end">
        {actions.map(({ id, label: itemLabel, icon: Icon, isDangerous, run }) => (
          <MenuItem key={id} icon={<Icon />} tone={isDangerous ? 'danger' : 'neutral'} onAction={run}>
            {itemLabel}
          </MenuItem>
        ))}
      </Menu>
    </MenuTrigger>
  );
}

/** Returns the actions of a page as commands of the palette. */
export const paletteCommandsOf = (actions: readonly ResourceAction[], group: string): PaletteCommand[] =>
  actions.map(({ id, label, run }) => ({ id, label, group, run }));
