import type { ReactNode } from 'react';
import styles from './file-icon.module.css';

export const fileIconKinds = [
  'folder',
  'image',
  'audio',
  'video',
  'document',
  'sheet',
  'archive',
  'code',
  'pdf',
  'text',
  'font',
  'other',
  'broken',
] as const;
export type FileIconKind = (typeof fileIconKinds)[number];

export interface FileIconProps {
  kind: FileIconKind;
  /** In px. Default: 20. */
  size?: number | undefined;
  /** Shown below the glyph from 48 px on, up to five characters. */
  extension?: string | undefined;
}

/** On a box of 24, within the page outline from (8, 10.5) to (16, 18). */
const glyphs: Readonly<Record<Exclude<FileIconKind, 'folder'>, ReactNode>> = {
  image: (
    <path
      className={styles.solid}
      d="M8.1 17.3 10.4 13.7a.7.7 0 0 1 1.15-.03l1.15 1.55.65-.85a.7.7 0 0 1 1.13.02l1.5 2.1a.7.7 0 0 1-.57 1.1H8.7a.7.7 0 0 1-.6-1.08ZM13.8 10.4a1.3 1.3 0 1 1 0 2.6 1.3 1.3 0 0 1 0-2.6Z"
    />
  ),
  audio: (
    <>
      <path className={styles.line} d="M10.9 16.3v-5.1l4-.9v5" />
      <path
        className={styles.solid}
        d="M9.7 14.9a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3Zm4-1a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3Z"
      />
    </>
  ),
  video: (
    <path
      className={styles.solid}
      d="M9.8 11.3v5.9a.7.7 0 0 0 1.06.6l4.9-2.95a.7.7 0 0 0 0-1.2l-4.9-2.95a.7.7 0 0 0-1.06.6Z"
    />
  ),
  document: <path className={styles.line} d="M8.5 11.5h7M8.5 14.5h7M8.5 17.5h4" />,
  sheet: <path className={styles.line} d="M8.5 11.25h7v6.25h-7ZM8.5 14.4h7M12 11.25v6.25" />,
  archive: (
    <>
      <path className={styles.line} d="M12 5v.75M12 7.75v.75M12 10.5v.75" />
      <path
        className={styles.solid}
        d="M10.7 12.5h2.6a.6.6 0 0 1 .6.52l.5 3.7A1.1 1.1 0 0 1 13.3 18h-2.6a1.1 1.1 0 0 1-1.1-1.28l.5-3.7a.6.6 0 0 1 .6-.52Z"
      />
    </>
  ),
  code: <path className={styles.line} d="m10.3 11.5-2.3 3 2.3 3M13.7 11.5l2.3 3-2.3 3" />,
  pdf: (
    <path
      className={styles.solid}
      d="M8.7 11.5h6.6a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1H8.7a1 1 0 0 1-1-1v-4a1 1 0 0 1 1-1Z"
    />
  ),
  text: <path className={styles.line} d="M8.5 11.5h7M8.5 14.5h7M8.5 17.5h4" />,
  font: <path className={styles.line} d="m8.7 17.8 3.3-7.3 3.3 7.3M9.9 15.3h4.2" />,
  other: null,
  broken: <path className={styles.line} d="m9.5 11.7 5 5m0-5-5 5" />,
};

/** Decorative, beside a name: hidden from assistive technology. */
export function FileIcon({ kind, size = 20, extension }: FileIconProps) {
  if (kind === 'folder') {
    return (
      <svg
        className={styles.icon}
        data-kind={kind}
        viewBox="0 0 24 24"
        width={size}
        height={size}
        aria-hidden="true"
      >
        <path
          className={styles.folder}
          d="M2.5 6.25A2.25 2.25 0 0 1 4.75 4h4.01c.6 0 1.17.24 1.59.66l1.49 1.5c.14.14.33.22.53.22h6.88a2.25 2.25 0 0 1 2.25 2.25v8.87a2.25 2.25 0 0 1-2.25 2.25H4.75A2.25 2.25 0 0 1 2.5 17.5Z"
        />
        <path className={styles.flap} d="M2.5 9.5h19" />
      </svg>
    );
  }
  const hasExtension = size >= 48 && extension !== undefined && extension !== '';
  return (
    <svg
      className={styles.icon}
      data-kind={kind}
      viewBox="0 0 24 24"
      width={size}
      height={size}
      aria-hidden="true"
    >
      <path
        className={styles.page}
        d="M13.75 2.5H6.5A1.75 1.75 0 0 0 4.75 4.25v15.5c0 .97.78 1.75 1.75 1.75h11a1.75 1.75 0 0 0 1.75-1.75V8Z"
      />
      <path className={styles.page} d="M13.75 2.5v4.25c0 .69.56 1.25 1.25 1.25h4.25" />
      <g transform={hasExtension ? 'translate(0 -1.75)' : undefined}>{glyphs[kind]}</g>
      {hasExtension && (
        <text className={styles.extension} x="12" y="19.9" textAnchor="middle" fontSize={(9 * 24) / size}>
          {extension.slice(0, 5).toLowerCase()}
        </text>
      )}
    </svg>
  );
}
