import { hasEscapedBytes } from '@filestead/contract/paths/raw-names';
import type { ReactNode } from 'react';
import { displayName } from '../../../../i18n/display-name.ts';
import { i18n } from '../../../../i18n/i18n.ts';
import { LongName } from '../../../../ui/names/long-name.tsx';
import styles from '../entry.module.css';

/**
 * Shows the name of an entry, marked when it is not UTF-8. Its address is set when the pointer is over it (links.ts).
 */
export function EntryName({ name }: { name: string }) {
  if (!hasEscapedBytes(name))
    return <LongName as="a" className={styles.name} data-part="name" name={displayName(name)} />;
  return (
    <>
      <LongName
        as="a"
        className={`${styles.name} ${styles.foreignName}`}
        data-part="name"
        name={displayName(name)}
      />
      <span className="visually-hidden">{i18n.t('listing:foreignName')}</span>
    </>
  );
}

/** The name of an entry as other parts render it; like {@link EntryName}, it is a link that can be dragged. */
export function EntryLink({ children }: { children: ReactNode }) {
  // In a variable, because the rules for links expect an address, which is set later.
  const Name = 'a';
  return (
    <Name className={`${styles.name} ${styles.link}`} data-part="name" dir="auto" draggable={false}>
      {children}
    </Name>
  );
}
