import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Search } from '../../ui/icons.ts';
import styles from './list-search.module.css';

interface ListSearchFieldProps {
  ref: Ref<HTMLInputElement>;
  label: string;
  value: string;
  onChange: (text: string) => void;
  onKeyDown?: ((event: KeyboardEvent<HTMLInputElement>) => void) | undefined;
}

/** The field that searches the list of a page, for its top bar; on phones it is in a {@link PhoneListSearch}. */
export const ListSearchField = ({ label, ...field }: ListSearchFieldProps) => (
  <TextField
    {...field}
    className={styles.search}
    label={label}
    isLabelHidden
    type="search"
    icon={<Search />}
    placeholder={label}
    autoComplete="off"
    spellCheck={false}
  />
);

/** The row above the list of a page on phones, with its field. */
export const PhoneListSearch = ({ children }: { children: ReactNode }) => (
  <div className={styles.phone}>{children}</div>
);
