import type { ReactNode } from 'react';
import { BaseButton, type BaseButtonProps } from './base-button.tsx';
import { classes } from '../classes.ts';
import styles from './icon-button.module.css';
import { isSingleKey, useSingleKeys } from '../keyboard/single-keys.ts';
import { shortcutForAria } from '../keyboard/shortcut.ts';
import { Spinner } from '../feedback/spinner.tsx';
import { Tooltip } from '../overlays/tooltip.tsx';

export interface IconButtonProps extends Omit<BaseButtonProps, 'children' | 'aria-label'> {
  /** The accessible name and the tooltip. */
  label: string;
  icon: ReactNode;
  /** For example `Mod+K`; shown in the tooltip only. The owner handles the key. */
  shortcut?: string | undefined;
  size?: 'small' | 'medium' | 'large' | undefined;
  /** Makes it a toggle button: the state is shown and announced. */
  isPressed?: boolean | undefined;
  tone?: 'neutral' | 'danger' | undefined;
  hasTooltip?: boolean | undefined;
}

export function IconButton({
  label,
  icon,
  shortcut: requested,
  size = 'medium',
  isPressed,
  tone = 'neutral',
  hasTooltip = true,
  isPending,
  className,
  ...props
}: IconButtonProps) {
  const hasSingleKeys = useSingleKeys();
  const shortcut =
    requested !== undefined && (hasSingleKeys || !isSingleKey(requested)) ? requested : undefined;
  const button = (
    <BaseButton
      {...props}
      isPending={isPending}
      aria-label={label}
      aria-pressed={isPressed}
      aria-keyshortcuts={shortcut === undefined ? undefined : shortcutForAria(shortcut)}
      data-size={size}
      data-tone={tone}
      className={classes(styles.button, className)}
    >
      {isPending ? <Spinner /> : icon}
    </BaseButton>
  );
  if (!hasTooltip) return button;
  return (
    <Tooltip text={label} shortcut={shortcut} isDescription={false}>
      {button}
    </Tooltip>
  );
}
