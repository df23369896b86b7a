import { parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { keyOfTag } from '@filestead/contract/values/tag-key';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { displayName } from '../../i18n/display-name.ts';
import { pluralValues } from '../../i18n/format.ts';
import { type EntryMarks, loadFolderMarks, useMarks } from '../../features/marks/marks-store.ts';
import { type EntryTag, TagDialog } from '../../features/marks/tag-dialog.tsx';
import { changeTag, failureOf, type Markable } from './mark-actions.ts';
import { closeTagPrompt, useTagPrompt } from './tag-prompt-store.ts';
import { showToast } from '../../ui/feedback/toast.ts';

/** Returns the tags of entries by their paths, loaded again after every change. */
function useTagsOf(entries: readonly Markable[]): ReadonlyMap<string, readonly string[]> {
  const [tags, setTags] = useState<ReadonlyMap<string, readonly string[]>>(new Map());
  useEffect(() => {
    const aborting = new AbortController();
    const load = async (): Promise<void> => {
      const found = new Map<string, readonly string[]>();
      const folders = new Set(entries.map(({ path }) => parentOf(path)));
      for (const folder of folders) {
        const marks: ReadonlyMap<string, EntryMarks> = await loadFolderMarks(folder, aborting.signal);
        for (const { path, name } of entries) {
          if (parentOf(path) === folder) found.set(path, marks.get(name)?.tags ?? []);
        }
      }
      setTags(found);
    };
    const show = (): void =>
      void load().catch((error: unknown) => {
        if (!aborting.signal.aborted) showToast({ tone: 'error', message: failureOf(error) });
      });
    show();
    const stop = useMarks.subscribe((state, before) => {
      if (state.version !== before.version) show();
    });
    return () => {
      stop();
      aborting.abort();
    };
  }, [entries]);
  return tags;
}

/** Returns the tags of all entries together, in alphabetical order. */
function allTags(tags: ReadonlyMap<string, readonly string[]>): EntryTag[] {
  const counts = new Map<string, { tag: string; count: number }>();
  for (const own of tags.values()) {
    for (const tag of own) {
      const known = counts.get(keyOfTag(tag));
      counts.set(keyOfTag(tag), { tag: known?.tag ?? tag, count: (known?.count ?? 0) + 1 });
    }
  }
  return [...counts.values()]
    .map(({ tag, count }) => ({ tag, isOnAll: count === tags.size }))
    .toSorted((a, b) => a.tag.localeCompare(b.tag));
}

/** The dialog that edits the tags of entries. */
export function TagPrompt() {
  const { opening, isOpen, entries } = useTagPrompt();
  return <Editor key={opening} entries={entries} isOpen={isOpen} />;
}

function Editor({ entries, isOpen }: { entries: readonly Markable[]; isOpen: boolean }) {
  const { t } = useTranslation('marks');
  const known = useMarks((state) => state.tags);
  const tags = useTagsOf(entries);
  const [first] = entries;
  const has = (path: VirtualPath, tag: string): boolean =>
    (tags.get(path) ?? []).some((other) => keyOfTag(other) === keyOfTag(tag));
  const title =
    entries.length === 1 && first
      ? t('tagsOf', { name: displayName(first.name) })
      : t('tagsOfMany', pluralValues(entries.length));
  return (
    <TagDialog
      title={title}
      tags={allTags(tags)}
      known={known}
      isOpen={isOpen}
      onChange={(tag, isAdded) =>
        changeTag(
          entries.filter(({ path }) => has(path, tag) !== isAdded),
          tag,
          isAdded,
        )
      }
      onClose={closeTagPrompt}
    />
  );
}
