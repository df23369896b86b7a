import { encodePath, nameOf, parentOf } from '@filestead/contract/paths/virtual-path';
import { useRef } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Link } from 'react-router';
import { formatPercent, formatSize, pluralValues } from '../../i18n/format.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { displayName } from '../../i18n/display-name.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { FileIcon } from '../../ui/names/file-icon.tsx';
import { fileKind } from '../../ui/names/file-kind.ts';
import { LongName } from '../../ui/names/long-name.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import styles from './interrupted-offer.module.css';
import type { InterruptedUploads } from './interrupted-uploads.ts';
import type { UnfinishedUpload } from './unfinished-uploads.ts';
import type { UploadQueue } from './queue/upload-queue.ts';

interface InterruptedOfferProps {
  uploads: readonly UnfinishedUpload[];
  interrupted: InterruptedUploads;
  queue: UploadQueue;
  /** The id of the heading. */
  id: string;
}

/**
 * Offers to resume uploads that were interrupted when a page was closed: choosing the same files again continues them
 * at their offset.
 */
export function InterruptedOffer({ uploads, interrupted, queue, id }: InterruptedOfferProps) {
  const { t } = useTranslation('uploads');
  const input = useRef<HTMLInputElement>(null);
  const count = uploads.length;
  const resumeChosen = (files: readonly File[]) => {
    const { matched, unmatched } = matchUploads(files, uploads);
    queue.resumeFiles(matched);
    const [first] = unmatched;
    if (!first) return;
    const name = isolateBidi(first.name);
    const message =
      unmatched.length === 1
        ? t('interrupted.strangerOne', { name })
        : t('interrupted.strangerMany', { ...pluralValues(unmatched.length), name });
    showToast({ tone: 'error', message });
  };
  return (
    <div className={styles.offer}>
      <h2 id={id} className={styles.title}>
        {t('interrupted.title', pluralValues(count))}
      </h2>
      <p className={styles.text}>{t('interrupted.text', pluralValues(count))}</p>
      <ul className={styles.list} aria-labelledby={id}>
        {uploads.map((upload) => (
          <Interrupted key={upload.address} upload={upload} />
        ))}
      </ul>
      <div className={styles.buttons}>
        <Button size="small" onClick={() => input.current?.click()}>
          {t('interrupted.choose', pluralValues(count))}
        </Button>
        <Button size="small" variant="quiet" onClick={() => void interrupted.discard()}>
          {t('interrupted.discard')}
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-upload="interrupted"
        onChange={({ currentTarget }) => {
          // Copied before the input is cleared, so that the same file can be chosen again.
          const files = [...(currentTarget.files ?? [])];
          currentTarget.value = '';
          resumeChosen(files);
        }}
      />
    </div>
  );
}

function Interrupted({ upload: { path, size, offset } }: { upload: UnfinishedUpload }) {
  const { t } = useTranslation('uploads');
  const name = nameOf(path);
  const folder = parentOf(path);
  return (
    <li className={styles.item}>
      <FileIcon kind={fileKind({ name, type: 'blob', isFolder: false })} size={24} />
      <div className={styles.words}>
        <LongName className={styles.name} name={displayName(name)} />
        <span className={styles.state}>
          {t('row.sending', { percent: formatPercent(offset / size), total: formatSize(size) })}
          {' · '}
          <Link to={`/files${encodePath(folder)}${folder === '/' ? '' : '/'}`}>
            <bdi>{displayName(nameOf(folder)) || t('conflict.topFolder')}</bdi>
          </Link>
        </span>
      </div>
    </li>
  );
}

interface Matches {
  readonly matched: { path: UnfinishedUpload['path']; file: File; override: boolean }[];
  /** Files that belong to none of the uploads. */
  readonly unmatched: File[];
}

/** Matches `files` with uploads, at most one upload per file. */
export function matchUploads(files: readonly File[], uploads: readonly UnfinishedUpload[]): Matches {
  const unmatchedUploads = new Set(uploads);
  const matches: Matches = { matched: [], unmatched: [] };
  for (const file of files) {
    const upload = [...unmatchedUploads].find(
      ({ path, size, modifiedMs }) =>
        nameOf(path) === file.name && size === file.size && modifiedMs === file.lastModified,
    );
    if (upload) {
      unmatchedUploads.delete(upload);
      matches.matched.push({ path: upload.path, override: upload.override, file });
    } else {
      matches.unmatched.push(file);
    }
  }
  return matches;
}
