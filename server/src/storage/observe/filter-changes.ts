import type { FolderObserver } from '../storage.ts';

/** The observer without names for which `keeps` returns false. Changes of such names only are not reported. */
export const filterChanges = (
  observer: FolderObserver,
  keeps: (name: string) => boolean,
): FolderObserver => ({
  onChange({ names, renamed }) {
    if (names === null) {
      observer.onChange({ names, renamed: [] });
      return;
    }
    const kept = names.filter(keeps);
    if (kept.length === 0) return;
    observer.onChange({ names: kept, renamed: renamed.filter(([from, to]) => keeps(from) && keeps(to)) });
  },
  onEnd: () => observer.onEnd(),
});
