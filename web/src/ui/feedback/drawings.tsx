import type { ReactNode } from 'react';
import styles from './illustration.module.css';

export type IllustrationName =
  | 'folder'
  | 'search'
  | 'trash'
  | 'shares'
  | 'missing'
  | 'locked'
  | 'offline'
  | 'broken';

/** Gray lines, one stroke in the accent color, and one lit shape in honey, above the common ground. */
export const drawings: Readonly<Record<IllustrationName, ReactNode>> = {
  folder: (
    <>
      <path d="M100 128V90" />
      <path className={styles.paper} d="M78 90V54l22-19 22 19v36Z" />
      <path d="m70 61 30-26 30 26" />
      <circle className={styles.lit} cx="100" cy="62" r="8.5" />
      <path d="M100 76v7" />
      <path className={styles.accent} d="M146 42q6-8 12 0q6-8 12 0" />
    </>
  ),
  search: (
    <>
      <path className={styles.paper} d="M50 128V92l22-18 22 18v36Z" />
      <path className={styles.lit} d="M66 106h12v22H66Z" />
      <circle className={`${styles.accent} ${styles.paper}`} cx="122" cy="66" r="26" />
      <path className={styles.accent} d="m141 85 17 17" strokeWidth="4" />
      <path d="M112 66h20" />
    </>
  ),
  trash: (
    <>
      <path className={styles.paper} d="M72 78h56l-7 50H79Z" />
      <path d="M68 78h64M88 92l2 22M100 92v22M112 92l-2 22" />
      <path className={styles.lit} d="M96 58c-2-14 8-24 26-24 0 17-9 27-26 24Z" />
      <path className={styles.accent} d="M92 66c6-10 12-17 20-23" />
    </>
  ),
  shares: (
    <>
      <path className={styles.paper} d="M38 128V94l20-17 20 17v34Z" />
      <path className={styles.lit} d="M53 106h10v22H53Z" />
      <path className={styles.paper} d="M124 128V86l19-16 19 16v42Z" />
      <path className={styles.lit} d="M138 98h10v10h-10Z" />
      <path className={styles.accent} d="M60 64c14-30 58-34 78-8" strokeDasharray="1 7" strokeWidth="3" />
    </>
  ),
  missing: (
    <>
      <path d="M100 128V44" />
      <path className={styles.paper} d="M104 48h44l10 10-10 10h-44ZM96 74H56l-10 10 10 10h40Z" />
      <path className={styles.accent} d="M122 58h14M64 84h14" />
      <circle className={styles.lit} cx="100" cy="40" r="5" />
    </>
  ),
  locked: (
    <>
      <path d="M48 128V70M152 128V70" />
      <path className={styles.paper} d="M56 128V76c20-16 68-16 88 0v52Z" />
      <path d="M72 128V69M88 128V65M112 128V65M128 128V69" />
      <rect className={styles.lit} x="88" y="86" width="24" height="20" rx="4" />
      <path className={styles.accent} d="M93 86v-5a7 7 0 0 1 14 0v5" />
    </>
  ),
  offline: (
    <>
      <path className={styles.paper} d="M60 128V78l28-23 28 23v50Z" />
      <path className={styles.lit} d="M80 96h16v16H80Z" />
      <path d="M116 112h14c8 0 8-14 16-14" />
      <path className={styles.accent} d="M150 92v12M162 90v16M162 94h8M162 102h8" />
    </>
  ),
  broken: (
    <>
      <path className={styles.paper} d="M66 128V82l34-28 34 28v46Z" />
      <path className={styles.lit} d="M92 104h16v24H92Z" />
      <path className={styles.accent} d="m100 54-6 12 10 8-8 12" />
    </>
  ),
};
