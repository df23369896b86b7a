import type { ReactNode } from 'react';
import styles from './illustration.module.css';

export type IllustrationName = 'folder' | 'search' | 'missing' | 'locked' | 'offline' | 'broken';

/** Grey lines, and one stroke in the accent colour for the subject. */
const drawings: Readonly<Record<IllustrationName, ReactNode>> = {
  folder: (
    <>
      <path d="M14 74V26a5 5 0 0 1 5-5h17.5a5 5 0 0 1 3.9 1.9L45 29h32a5 5 0 0 1 5 5v6" />
      <path d="M14 74 22.6 44.4a6 6 0 0 1 5.8-4.4h53.3a5 5 0 0 1 4.8 6.4l-7.5 26a6 6 0 0 1-5.8 4.3H17a3 3 0 0 1-3-2.7Z" />
      <path className={styles.accent} d="M52 69V51m-7.5 7.5L52 51l7.5 7.5" />
    </>
  ),
  search: (
    <>
      <path d="M24 82h48a6 6 0 0 0 6-6V34L60 14H24a6 6 0 0 0-6 6v56a6 6 0 0 0 6 6Z" />
      <path d="M60 14v14a6 6 0 0 0 6 6h12" />
      <circle className={styles.accent} cx="45" cy="50" r="11" />
      <path className={styles.accent} d="m53 58 9 9" />
    </>
  ),
  missing: (
    <>
      <path d="M24 82h48a6 6 0 0 0 6-6V34L60 14H24a6 6 0 0 0-6 6v56a6 6 0 0 0 6 6Z" />
      <path d="M60 14v14a6 6 0 0 0 6 6h12" />
      <path className={styles.accent} d="M40 48a8 8 0 1 1 11.5 7.2C49 56.5 48 58 48 61" />
      <path className={styles.accent} d="M48 69v.1" />
    </>
  ),
  locked: (
    <>
      <path d="M14 74V26a5 5 0 0 1 5-5h17.5a5 5 0 0 1 3.9 1.9L45 29h32a5 5 0 0 1 5 5v40a5 5 0 0 1-5 5H19a5 5 0 0 1-5-5Z" />
      <rect className={styles.accent} x="37" y="51" width="22" height="17" rx="3" />
      <path className={styles.accent} d="M41.5 51v-4.5a6.5 6.5 0 0 1 13 0V51" />
    </>
  ),
  offline: (
    <>
      <rect x="14" y="20" width="68" height="22" rx="5" />
      <rect x="14" y="54" width="68" height="22" rx="5" />
      <path d="M25 31h.1M35 31h.1M25 65h.1M35 65h.1" />
      <path className={styles.accent} d="m58 59 12 12m0-12L58 71" />
    </>
  ),
  broken: (
    <>
      <path d="M24 82h48a6 6 0 0 0 6-6V34L60 14H24a6 6 0 0 0-6 6v56a6 6 0 0 0 6 6Z" />
      <path d="M60 14v14a6 6 0 0 0 6 6h12" />
      <path className={styles.accent} d="M30 54h9l5-12 8 24 5-12h9" />
    </>
  ),
};

export function Illustration({ name }: { name: IllustrationName }) {
  return (
    <svg className={styles.drawing} viewBox="0 0 96 96" fill="none" aria-hidden="true">
      {drawings[name]}
    </svg>
  );
}
