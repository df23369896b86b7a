import { nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useState } from 'react';
import { TagMark } from '../../features/marks/entry-marks.tsx';
import { loadFolderMarks, useMarks } from '../../features/marks/marks-store.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Plus } from '../../ui/icons.ts';
import styles from './entry-tags.module.css';

/** The tags that entries have in common, each with its word, and the button that edits them. */
export function EntryTags({
  paths,
  onEdit,
}: {
  paths: readonly VirtualPath[];
  onEdit: (() => void) | undefined;
}) {
  const { t } = useTranslation('marks');
  const tags = useCommonTags(paths);
  return (
    <ul className={styles.tags} aria-label={t('tags')}>
      {tags.map((tag) => (
        <li key={tag}>
          <TagMark tag={tag} />
        </li>
      ))}
      <li>
        <button type="button" className={styles.edit} aria-haspopup="dialog" onClick={onEdit}>
          <span>
            <Plus aria-hidden="true" />
            {t('newTag')}
          </span>
        </button>
      </li>
    </ul>
  );
}

/** Returns the tags that all entries have, also after they have changed; none while they are unknown. */
function useCommonTags(paths: readonly VirtualPath[]): readonly string[] {
  const [tags, setTags] = useState<readonly string[]>([]);
  // No path contains the character.
  const joined = paths.join('\0');
  useEffect(() => {
    const aborting = new AbortController();
    const { signal } = aborting;
    const load = async (): Promise<void> => {
      const found = await loadCommonTags(joined.split('\0') as VirtualPath[], signal);
      if (!signal.aborted) setTags(found);
    };
    // The details are complete without tags.
    const loadQuietly = (): void => void load().catch(() => undefined);
    loadQuietly();
    const unsubscribe = useMarks.subscribe(({ version }, before) => {
      if (version !== before.version) loadQuietly();
    });
    return () => {
      unsubscribe();
      aborting.abort();
    };
  }, [joined]);
  return tags;
}

async function loadCommonTags(
  paths: readonly VirtualPath[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const folders = [...new Set(paths.map(parentOf))];
  const marks = new Map(
    await Promise.all(
      folders.map(async (folder) => [folder, await loadFolderMarks(folder, signal)] as const),
    ),
  );
  const tagsOf = (path: VirtualPath) => marks.get(parentOf(path))?.get(nameOf(path))?.tags ?? [];
  const [first, ...others] = paths;
  const common = first === undefined ? [] : tagsOf(first);
  return common.filter((tag) => others.every((path) => tagsOf(path).includes(tag)));
}
