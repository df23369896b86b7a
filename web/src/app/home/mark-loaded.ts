import type { SyntheticEvent } from 'react';

/** Gives a loaded picture a background. */
export const markLoaded = ({ currentTarget }: SyntheticEvent<HTMLImageElement>): void =>
  currentTarget.setAttribute('data-loaded', '');
