import { filesScreens } from './files.ts';
import { searchScreens } from './search.ts';
import type { Screen } from './screen.ts';
import { settingsScreens } from './settings.ts';
import { sharesScreens } from './shares.ts';
import { uploadsScreens } from './uploads.ts';

/** Every screen and dialog of the product. */
export const screens: readonly Screen[] = [
  ...filesScreens,
  ...searchScreens,
  ...settingsScreens,
  ...sharesScreens,
  ...uploadsScreens,
];
