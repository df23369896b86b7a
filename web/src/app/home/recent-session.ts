import type { RecentRow } from '@filestead/contract/endpoints/marks';
import { listMarked } from '../marks/list-marked.tsx';
import { ScatteredSession } from '../scattered/scattered-session.ts';

/** The recent entries on Home, on which the actions of their menu work. The page loads them. */
export class RecentSession extends ScatteredSession {
  override readonly hasViews = false;

  show(rows: readonly RecentRow[]): void {
    listMarked(this.model, rows);
    this.setStatus({ kind: 'shown' });
  }

  protected override load(): Promise<null> {
    return Promise.resolve(null);
  }
}
