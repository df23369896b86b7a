import { useMemo } from 'react';
import { useLocale } from '../../i18n/use-locale.ts';
import { neighborsOf, type Neighbors, type PreviewEntry } from './preview-entry.ts';

interface NeighborNavigation {
  readonly neighbors: Neighbors;
  goTo(target: PreviewEntry | null): void;
  /** Moves to the neighbor on a side of the screen, according to the writing direction. */
  turn(direction: 'left' | 'right'): void;
  /** Moves to the neighbor that a swipe pulls in: a swipe to the left shows the one on the right. */
  swipe(direction: 'left' | 'right'): void;
}

/** Returns the neighbors of `entry` and functions that move to them. `onTurn` is called when the user turns a page. */
export function useNeighbors(
  {
    entry,
    siblings,
    onNavigate,
  }: {
    entry: PreviewEntry;
    siblings: readonly PreviewEntry[];
    onNavigate: (entry: PreviewEntry) => void;
  },
  onTurn: () => void,
): NeighborNavigation {
  const { direction } = useLocale();
  const neighbors = useMemo(() => neighborsOf(siblings, entry.path), [siblings, entry.path]);
  const goTo = (target: PreviewEntry | null) => {
    if (target) onNavigate(target);
  };
  const turn = (side: 'left' | 'right') => {
    const isForward = (side === 'right') === (direction === 'ltr');
    onTurn();
    goTo(isForward ? neighbors.next : neighbors.previous);
  };
  return { neighbors, goTo, turn, swipe: (swiped) => turn(swiped === 'left' ? 'right' : 'left') };
}
