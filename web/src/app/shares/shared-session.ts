import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Share } from '@filestead/contract/shares';
import { targetOf } from '../../features/shares/share-target.ts';
import { listEntries } from '../scattered/list-entries.ts';
import { ScatteredSession } from '../scattered/scattered-session.ts';

/** The entries of the user's own shares, for the details. The page loads them with the shares. */
export class SharedSession extends ScatteredSession {
  override readonly hasViews = false;

  show(shares: readonly Share[]): void {
    const existing = shares.filter(({ path, modified }) => modified !== undefined && path !== '/');
    listEntries(
      this.model,
      existing.map((share) => {
        const { path, isFolder } = targetOf(share);
        const { size = null, modified = '', type = null } = share;
        return { path, isFolder, size, modifiedMs: Date.parse(modified), type };
      }),
    );
    this.setStatus({ kind: 'shown' });
  }

  /** Selects the entries at `paths`, so that the details describe them. */
  select(paths: readonly VirtualPath[]): void {
    this.model.select(paths.map((path) => this.idOf(path)).filter((id) => id !== null));
  }

  protected override load(): Promise<null> {
    return Promise.resolve(null);
  }
}
