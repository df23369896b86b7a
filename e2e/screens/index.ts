import { editorScreens } from './editor.ts';
import { filesScreens } from './files.ts';
import { loginScreens } from './login.ts';
import { menuScreens } from './menus.ts';
import { placeScreens } from './places.ts';
import { previewScreens } from './previews.ts';
import { searchScreens } from './search.ts';
import type { Screen, Viewer } from './screen.ts';
import { settingsScreens } from './settings.ts';
import { sharesScreens } from './shares.ts';
import { shellScreens } from './shell.ts';
import { historyScreens } from './history.ts';
import { trashScreens } from './trash.ts';
import { uploadsScreens } from './uploads.ts';
import { versionScreens } from './versions.ts';
import { viewScreens } from './views.ts';

/** Screens that are opened one after the other by the same viewer, on a product of their own. */
export interface ScreenBatch {
  readonly title: string;
  readonly as: Viewer;
  readonly screens: readonly Screen[];
}

/** All screens, in parts in which the ordinary user's screens take similar times, so that no worker is left with one long test. */
const parts: readonly (readonly Screen[])[] = [
  [...filesScreens, ...viewScreens],
  [...menuScreens, ...searchScreens, ...previewScreens, ...settingsScreens, ...loginScreens],
  [
    ...editorScreens,
    ...sharesScreens,
    ...shellScreens,
    ...historyScreens,
    ...placeScreens,
    ...trashScreens,
    ...uploadsScreens,
    ...versionScreens,
  ],
];

const seenBy = (viewer: Viewer, screens: readonly Screen[]): Screen[] =>
  screens.filter(({ as }) => as === viewer);

/** Every screen and dialog of the product. The look of a screen depends on nothing but the screens before it in its batch. */
export const screenBatches: readonly ScreenBatch[] = [
  { title: 'administrator', as: 'administrator', screens: seenBy('administrator', parts.flat()) },
  ...parts.map((screens, index): ScreenBatch => ({
    title: `user, part ${index + 1} of ${parts.length}`,
    as: 'user',
    screens: seenBy('user', screens),
  })),
  { title: 'visitor', as: 'visitor', screens: seenBy('visitor', parts.flat()) },
];
