import type { ReactNode } from 'react';
import styles from './file-icon.module.css';

export const fileIconKinds = [
  'folder',
  'image',
  'audio',
  'video',
  'document',
  'sheet',
  'slides',
  'pdf',
  'text',
  'code',
  'archive',
  'book',
  'data',
  'mail',
  'disc',
  'key',
  'font',
  'other',
  'broken',
] as const;
export type FileIconKind = (typeof fileIconKinds)[number];

export interface FileIconProps {
  kind: FileIconKind;
  /** In px. Default: 22. */
  size?: number | undefined;
  /** Shown below the glyph from 48 px on, up to five characters. */
  extension?: string | undefined;
}

const lines = <path className={styles.line} d="M8 11.6h8M8 14.5h8M8 17.4h4.6" />;

/** On a box of 24, within the page outline from (7.5, 10) to (16.5, 18.5). */
const glyphs: Readonly<Record<Exclude<FileIconKind, 'folder'>, ReactNode>> = {
  image: (
    <path
      className={styles.solid}
      d="M7.6 17.8 10.3 13.7a.8.8 0 0 1 1.3 0l1.3 1.8.7-1a.8.8 0 0 1 1.3 0l1.8 2.6a.8.8 0 0 1-.7 1.2H8.2a.8.8 0 0 1-.6-.5ZM14.8 10.05a1.25 1.25 0 1 1 0 2.5 1.25 1.25 0 0 1 0-2.5Z"
    />
  ),
  audio: (
    <path
      className={styles.solid}
      d="M10.3 16.7v-5.3c0-.4.3-.7.6-.8l3.8-.8c.4-.1.8.2.8.7v5.2a1.6 1.6 0 1 1-1.3-1.6v-2.6l-2.6.5v4.7a1.6 1.6 0 1 1-1.3-1.6"
    />
  ),
  video: (
    <path
      className={styles.solid}
      d="M9.6 11.5v5.8c0 .6.7 1 1.2.7l4.7-2.9c.5-.3.5-1 0-1.3l-4.7-2.9a.8.8 0 0 0-1.2.6Z"
    />
  ),
  document: lines,
  sheet: (
    <path
      className={styles.line}
      d="M8.6 10.8h6.8c.5 0 .8.4.8.8v5.8c0 .5-.3.8-.8.8H8.6a.8.8 0 0 1-.8-.8v-5.8c0-.4.3-.8.8-.8ZM7.8 14.5h8.4M12 10.8v7.4"
    />
  ),
  slides: (
    <>
      <rect className={styles.solid} x="7.7" y="11" width="8.6" height="5.4" rx="1" />
      <path className={styles.line} d="M12 16.4v2" />
    </>
  ),
  pdf: (
    <path
      className={styles.line}
      d="M8.2 17.9c1.9-.9 3.9-4.4 3.9-6.6 0-.9-.9-.9-.9 0 0 2.3 2.3 4.7 4.6 4.6.9 0 .8-.9 0-.9-2.4 0-5.4.8-7.7 2.2-.7.4-.5 1 .1.7Z"
    />
  ),
  text: lines,
  code: <path className={styles.line} d="m10 11.7-2.4 2.8 2.4 2.8M14 11.7l2.4 2.8-2.4 2.8" />,
  archive: (
    <>
      <path className={styles.line} d="M12 4v1.3M12 7v1.3M12 10v1.3" />
      <path
        className={styles.solid}
        d="M10.7 13h2.6c.3 0 .5.2.6.5l.5 3.3a1.2 1.2 0 0 1-1.2 1.4h-2.4a1.2 1.2 0 0 1-1.2-1.4l.5-3.3c.1-.3.3-.5.6-.5Z"
      />
    </>
  ),
  book: (
    <path
      className={styles.line}
      d="M12 12.3c-1-.9-2.5-1.1-4.2-1v5.6c1.7-.1 3.2.1 4.2 1 1-.9 2.5-1.1 4.2-1v-5.6c-1.7-.1-3.2.1-4.2 1Zm0 0v5.4"
    />
  ),
  data: (
    <>
      <ellipse className={styles.line} cx="12" cy="11.7" rx="3.9" ry="1.5" />
      <path
        className={styles.line}
        d="M8.1 11.7v5.1c0 .8 1.7 1.5 3.9 1.5s3.9-.7 3.9-1.5v-5.1M8.1 14.3c0 .8 1.7 1.5 3.9 1.5s3.9-.7 3.9-1.5"
      />
    </>
  ),
  mail: (
    <>
      <rect className={styles.line} x="7.7" y="11.2" width="8.6" height="6.2" rx="1.1" />
      <path className={styles.line} d="m8.2 12.2 3.8 2.8 3.8-2.8" />
    </>
  ),
  disc: (
    <>
      <circle className={styles.line} cx="12" cy="14.5" r="3.7" />
      <circle className={styles.solid} cx="12" cy="14.5" r="1" />
    </>
  ),
  key: (
    <>
      <circle className={styles.line} cx="10" cy="14.5" r="2" />
      <path className={styles.line} d="M12 14.5h4.4M15 14.5v1.8" />
    </>
  ),
  font: <path className={styles.line} d="m8.5 18 3.5-7.6 3.5 7.6M9.7 15.5h4.6" />,
  other: null,
  broken: <path className={styles.line} d="m9.6 12.1 4.8 4.8m0-4.8-4.8 4.8" />,
};

/** Decorative, beside a name: hidden from assistive technology. */
export function FileIcon({ kind, size = 22, extension }: FileIconProps) {
  const attributes = {
    className: styles.icon,
    'data-kind': kind,
    viewBox: '0 0 24 24',
    width: size,
    height: size,
    'aria-hidden': true,
  };
  if (kind === 'folder') {
    return (
      <svg {...attributes}>
        <path
          className={styles.back}
          d="M2.3 6.6c0-1.2 1-2.2 2.2-2.2h4c.6 0 1.2.2 1.6.7l1 1.1c.4.4 1 .7 1.6.7h6.8c1.2 0 2.2 1 2.2 2.2V13H2.3Z"
        />
        <path
          className={styles.front}
          d="M2.3 10.9c0-1 .8-1.8 1.8-1.8h15.8c1 0 1.8.8 1.8 1.8v6.6c0 1.2-1 2.2-2.2 2.2h-15c-1.2 0-2.2-1-2.2-2.2Z"
        />
      </svg>
    );
  }
  const hasExtension = size >= 48 && extension !== undefined && extension !== '';
  return (
    <svg {...attributes}>
      {/* The page, and its fold, which runs in the same direction: otherwise it would be a hole. */}
      <path
        className={styles.page}
        d="M13.6 2.6H6.9c-1.2 0-2.2 1-2.2 2.2v14.4c0 1.2 1 2.2 2.2 2.2h10.2c1.2 0 2.2-1 2.2-2.2V8.3ZM13.6 2.8v3.7c0 1 .8 1.8 1.8 1.8h3.7"
      />
      {hasExtension ? <g transform="translate(0 -1.75)">{glyphs[kind]}</g> : glyphs[kind]}
      {hasExtension && (
        <text className={styles.extension} x="12" y="19.9" textAnchor="middle" fontSize={(9 * 24) / size}>
          {extension.slice(0, 5).toLowerCase()}
        </text>
      )}
    </svg>
  );
}
