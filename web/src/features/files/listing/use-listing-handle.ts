import { type Ref, type RefObject, useImperativeHandle } from 'react';
import { flushSync } from 'react-dom';
import { openMenuByKey } from './attach-keys.ts';
import type { ListingHandle } from './listing-options.ts';
import type { ListingModel } from './model/listing-model.ts';
import type { WindowTracker } from './rows/window-tracker.ts';
import type { ListingSurface } from './surface.ts';

interface ListingParts {
  readonly model: ListingModel;
  readonly tracker: WindowTracker;
  readonly surfaceRef: RefObject<ListingSurface | null>;
  /** The empty state. */
  readonly emptyRef: RefObject<HTMLElement | null>;
  readonly setCreating: (isCreating: boolean) => void;
  readonly setRenaming: (id: number) => void;
}

/** Sets `handleRef` to the imperative interface of a listing. */
export function useListingHandle(
  handleRef: Ref<ListingHandle> | undefined,
  { model, tracker, surfaceRef, emptyRef, setCreating, setRenaming }: ListingParts,
): void {
  useImperativeHandle(
    handleRef,
    () => ({
      focus: () => {
        if (model.count > 0) surfaceRef.current?.focusCursor();
        else emptyRef.current?.focus();
      },
      focusEntry: (id) => surfaceRef.current?.focus(id),
      startCreate: () => {
        surfaceRef.current?.scrollTo(0);
        // Rendered synchronously, so that keys typed immediately reach the field.
        flushSync(() => setCreating(true));
      },
      startRename: (id) => {
        const position = model.position(id);
        if (position === null) return;
        surfaceRef.current?.reveal(position);
        model.moveCursor(id);
        // Rendered synchronously, so that keys typed immediately reach the field.
        // One name is edited at a time: a new folder that could not be named is given up.
        flushSync(() => {
          setCreating(false);
          setRenaming(id);
        });
      },
      reveal: (id) => {
        const position = model.position(id);
        if (position === null) return;
        model.moveCursor(id);
        surfaceRef.current?.reveal(position);
      },
      openMenu: () => {
        if (surfaceRef.current) openMenuByKey(surfaceRef.current);
      },
      scrolledPx: () => tracker.virtualPx,
      scrollTo: (px) => surfaceRef.current?.scrollTo(px),
      announce: (message) => surfaceRef.current?.announce(message),
    }),
    [model, tracker, surfaceRef, emptyRef, setCreating, setRenaming],
  );
}
