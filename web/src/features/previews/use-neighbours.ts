import { useMemo } from 'react';
import { useLocale } from '../../i18n/use-locale.ts';
import { neighboursOf, type Neighbours, type PreviewEntry } from './preview-entry.ts';

interface NeighbourNavigation {
  readonly neighbours: Neighbours;
  goTo(target: PreviewEntry | null): void;
  /** Moves to the neighbour on a side of the screen, according to the writing direction. */
  turn(direction: 'left' | 'right'): void;
  /** Moves to the neighbour that a swipe pulls in: a swipe to the left shows the one on the right. */
  swipe(direction: 'left' | 'right'): void;
}

/** Returns the neighbours of `entry` and functions that move to them. `onTurn` is called when the user turns a page. */
export function useNeighbours(
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
): NeighbourNavigation {
  const { direction } = useLocale();
  const neighbours = useMemo(() => neighboursOf(siblings, entry.path), [siblings, entry.path]);
  const goTo = (target: PreviewEntry | null) => {
    if (target) onNavigate(target);
  };
  const turn = (side: 'left' | 'right') => {
    const isForward = (side === 'right') === (direction === 'ltr');
    onTurn();
    goTo(isForward ? neighbours.next : neighbours.previous);
  };
  return { neighbours, goTo, turn, swipe: (swiped) => turn(swiped === 'left' ? 'right' : 'left') };
}
