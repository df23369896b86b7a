import type { ReactNode } from 'react';
import { IconButton } from '../buttons/icon-button.tsx';
import { SquareCheck, X } from '../icons.ts';
import styles from './phone-selection-top.module.css';

interface PhoneSelectionTopProps {
  /** For example "3 selected". */
  title: string;
  /** The size of the selection. */
  note?: string | undefined;
  clearLabel: string;
  onClear: () => void;
  selectAllLabel: string;
  onSelectAll: () => void;
  /** Further buttons. */
  children?: ReactNode;
}

/** The phone's top bar while something is selected. */
export function PhoneSelectionTop(props: PhoneSelectionTopProps) {
  const { title, note, clearLabel, onClear, selectAllLabel, onSelectAll, children } = props;
  return (
    <header className={styles.top}>
      <IconButton label={clearLabel} icon={<X />} hasTooltip={false} onClick={onClear} />
      <h1 className={styles.title}>{title}</h1>
      {note !== undefined && <span className={styles.note}>{note}</span>}
      <IconButton label={selectAllLabel} icon={<SquareCheck />} hasTooltip={false} onClick={onSelectAll} />
      {children}
    </header>
  );
}
