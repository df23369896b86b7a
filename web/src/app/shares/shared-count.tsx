import { useEffect } from 'react';
import { onFilesChange } from '../../features/files/entries/changes.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { onShareChange } from '../../features/shares/share-changes.ts';
import { formatNumber } from '../../i18n/format.ts';
import { loadOwnShares, useOwnShares } from './own-shares.ts';
import styles from './shared-count.module.css';

/** The delay before shares are counted again after changes, in ms: a job announces many changes in a row. */
const recountAfterMs = 1000;

/** The number of the user's own shares, beside the name of their page. Nothing while there are none. */
export function SharedCount() {
  const { id } = useCurrentUser();
  const count = useOwnShares((state) => (state.userId === id ? state.count : null));
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The page itself reports the failure; the next change counts again.
    const recount = () => void loadOwnShares(id, controller.signal).catch(() => undefined);
    const recountLater = () => {
      clearTimeout(timer);
      timer = setTimeout(recount, recountAfterMs);
    };
    if (useOwnShares.getState().userId !== id) recount();
    const stopShares = onShareChange(recount);
    // Deleting a file ends its shares, and an undo restores them.
    const stopFiles = onFilesChange(recountLater);
    window.addEventListener('focus', recountLater);
    return () => {
      controller.abort();
      clearTimeout(timer);
      stopShares();
      stopFiles();
      window.removeEventListener('focus', recountLater);
    };
  }, [id]);
  if (count === null || count === 0) return null;
  return <span className={styles.count}>{formatNumber(count)}</span>;
}
