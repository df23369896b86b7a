import type { Sorting } from '@filestead/contract/users';
import type { ReactNode } from 'react';
import type { ScatteredLook } from '../listing/listing-options.ts';
import type { PhotoGroups } from '../listing/photos/photo-layout.ts';

/** The parts of a folder's screen that are different where entries of several folders are listed, such as the results of a search. */
export interface ScatteredParts {
  readonly look: ScatteredLook;
  readonly sorting: Sorting | null;
  /** How photos are grouped. */
  readonly photoGroups?: PhotoGroups | undefined;
  /** The accessible name of the listing. */
  readonly name: string;
  /** Above the listing. */
  readonly top: ReactNode;
  readonly emptyState: ReactNode;
  /** Takes the place of the listing. */
  readonly instead?: ReactNode;
  /** Below the listing, in an area that scrolls by itself. */
  readonly below?: ReactNode;
  /** Takes the place of number, size and filter. */
  readonly footer: ReactNode;
}
