import { useMemo } from 'react';
import { useLocale } from '../../i18n/use-locale.ts';
import { neighboursOf, type Neighbours, type PreviewEntry } from './preview-entry.ts';

interface NeighbourNavigation {
  readonly neighbours: Neighbours;
  goTo(target: PreviewEntry | null): void;
  /** Goes to the neighbour on that side of the screen, by the direction of the language. */
  turn(towards: 'left' | 'right'): void;
  /** Goes to the neighbour that a finger pulls in: one that sweeps to the left pulls from the right. */
  swipe(towards: 'left' | 'right'): void;
}

/** The entries before and after `entry`, and the ways to them. `onLeave` is called before another entry is shown. */
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
  { onLeave, onTurn }: { onLeave: () => void; onTurn: () => void },
): NeighbourNavigation {
  const { direction } = useLocale();
  const neighbours = useMemo(() => neighboursOf(siblings, entry.path), [siblings, entry.path]);
  const goTo = (target: PreviewEntry | null) => {
    if (!target) return;
    onLeave();
    onNavigate(target);
  };
  const turn = (towards: 'left' | 'right') => {
    const isForward = (towards === 'right') === (direction === 'ltr');
    onTurn();
    goTo(isForward ? neighbours.next : neighbours.previous);
  };
  return { neighbours, goTo, turn, swipe: (towards) => turn(towards === 'left' ? 'right' : 'left') };
}
