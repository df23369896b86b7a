import type { OwnFunctions } from '../files/use-folder-host.tsx';

/** The functions of a screen with entries of several folders, which remembers no views and accepts no uploads. */
export const scatteredFunctions: Omit<OwnFunctions, 'openSearch'> = {
  saveView: () => undefined,
  useViewForAll: () => Promise.resolve(),
  chooseUploads: () => undefined,
  dropUploads: () => undefined,
  pasteUploads: () => undefined,
};
