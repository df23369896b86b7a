import { AppError } from '../http/app-error.ts';

/** Whoever takes places together: some always stay for the others. */
export interface Group {
  readonly name: string;
  /** The part of all places that the group may have, rounded up. */
  readonly share: number;
}

/** Places for work that only so many may do at once. */
export interface Slots {
  /** Takes a place for one of `group` and gives back how to leave it. Throws `too_busy` when there is none for the group. */
  take(group: Group): () => void;
}

export function openSlots(count: number): Slots {
  let taken = 0;
  const takenBy = new Map<string, number>();
  const add = (name: string, change: 1 | -1): void => {
    taken += change;
    const left = (takenBy.get(name) ?? 0) + change;
    if (left === 0) takenBy.delete(name);
    else takenBy.set(name, left);
  };
  return {
    take({ name, share }) {
      const isFull = taken >= count || (takenBy.get(name) ?? 0) >= Math.ceil(count * share);
      if (isFull) throw new AppError('too_busy');
      add(name, 1);
      let isHeld = true;
      return () => {
        if (isHeld) add(name, -1);
        isHeld = false;
      };
    },
  };
}
