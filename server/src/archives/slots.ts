import { AppError } from '../http/app-error.ts';

/** Places for work that only so many may do at once. */
export interface Slots {
  /** Takes a place and gives back how to leave it. Throws `too_busy` when there is none. */
  take(): () => void;
}

export function openSlots(count: number): Slots {
  let taken = 0;
  return {
    take() {
      if (taken >= count) throw new AppError('too_busy');
      taken += 1;
      let isHeld = true;
      return () => {
        if (isHeld) taken -= 1;
        isHeld = false;
      };
    },
  };
}
