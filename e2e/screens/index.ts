import { editorScreens } from './editor.ts';
import { filesScreens } from './files.ts';
import { loginScreens } from './login.ts';
import { menuScreens } from './menus.ts';
import { previewScreens } from './previews.ts';
import { searchScreens } from './search.ts';
import type { Screen } from './screen.ts';
import { settingsScreens } from './settings.ts';
import { sharesScreens } from './shares.ts';
import { shellScreens } from './shell.ts';
import { historyScreens } from './history.ts';
import { trashScreens } from './trash.ts';
import { uploadsScreens } from './uploads.ts';
import { versionScreens } from './versions.ts';
import { viewScreens } from './views.ts';

/** Every screen and dialog of the product. */
export const screens: readonly Screen[] = [
  ...filesScreens,
  ...viewScreens,
  ...menuScreens,
  ...searchScreens,
  ...previewScreens,
  ...settingsScreens,
  ...loginScreens,
  ...editorScreens,
  ...sharesScreens,
  ...shellScreens,
  ...historyScreens,
  ...trashScreens,
  ...uploadsScreens,
  ...versionScreens,
];
