import type { FolderObserver } from '../storage.ts';

/** Returns an observer that omits the names for which `keeps` returns false, and changes that contain no other names. */
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
