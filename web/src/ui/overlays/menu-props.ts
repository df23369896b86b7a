import type { ReactElement, ReactNode } from 'react';
import type { MenuIcon } from './menu-icons.ts';

export type MenuPlacement = 'bottom start' | 'bottom end' | 'top start' | 'top end' | 'right top' | 'end top';

export interface MenuItemProps {
  children: ReactNode;
  onAction: () => void;
  icon?: ReactElement | MenuIcon | undefined;
  /** For example `Mod+C`; only shown. The owner handles the key. */
  shortcut?: string | undefined;
  tone?: 'neutral' | 'danger' | undefined;
  /** A second line. */
  description?: ReactNode;
  /** The text for type-ahead, if the children are not plain text. */
  textValue?: string | undefined;
  isDisabled?: boolean | undefined;
}

export interface MenuChoiceProps<Value extends string> {
  label: string;
  /** Shows the label as a heading. */
  hasHeading?: boolean | undefined;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: string; icon?: ReactElement | MenuIcon; lang?: string }[];
}
