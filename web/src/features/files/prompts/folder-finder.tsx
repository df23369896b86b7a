import { findFiles } from '@filestead/contract/endpoints/find';
import { joinPaths, parsePath, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useState } from 'react';
import { call, isAbort } from '../../../api/call.ts';
import { pathFromRoot } from '../../../i18n/path-text.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { pathOfText } from '../../../ui/fields/typed-path.ts';
import { FileIcon } from '../../../ui/names/file-icon.tsx';
import styles from './destination-dialog.module.css';

/** The delay after the last key press before folders are searched, in ms. */
const delayMs = 150;
const maxResults = 40;

/** Returns the path that was typed, or null if the text is a name to search for. */
export const typedPath = (text: string): VirtualPath | null => (text.includes('/') ? pathOfText(text) : null);

/** Finds folders by name while the user types. `null` while nothing has been found yet. */
export function useFoundFolders(text: string): readonly VirtualPath[] | null {
  const [found, setFound] = useState<{ text: string; paths: readonly VirtualPath[] } | null>(null);
  const query = text.trim();
  useEffect(() => {
    if (query === '' || typedPath(query) !== null) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      call(findFiles, {
        path: rootPath,
        query: { query: `${query} kind:folder`, limit: String(maxResults) },
        signal: controller.signal,
      }).then(
        ({ rows }) =>
          setFound({ text: query, paths: rows.map(({ path }) => joinPaths(rootPath, parsePath(path).path)) }),
        (error: unknown) => {
          if (!isAbort(error)) setFound({ text: query, paths: [] });
        },
      );
    }, delayMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query]);
  return found?.text === query ? found.paths : null;
}

interface FolderFinderProps {
  paths: readonly VirtualPath[] | null;
  text: string;
  isClosed: (path: VirtualPath) => boolean;
  onPick: (path: VirtualPath) => void;
}

/** The folders that match the text in the field, shown instead of the tree. */
export function FolderFinder({ paths, text, isClosed, onPick }: FolderFinderProps) {
  const { t } = useTranslation('files');
  const path = typedPath(text);
  const shown = path === null ? (paths ?? []) : [path];
  return (
    <ul className={styles.found} aria-label={t('transfer.found')}>
      {shown
        .filter((candidate) => !isClosed(candidate))
        .map((candidate) => (
          <li key={candidate}>
            <button type="button" className={styles.result} onClick={() => onPick(candidate)}>
              <FileIcon kind="folder" />
              <span className={styles.name} data-own-text="">
                {pathFromRoot(candidate, t('root'))}
              </span>
            </button>
          </li>
        ))}
      {path === null && paths?.length === 0 && (
        <li className={styles.note}>{t('transfer.noMatch', { text: text.trim() })}</li>
      )}
    </ul>
  );
}
