import app from './app.json' with { type: 'json' };
import commands from './commands.json' with { type: 'json' };
import common from './common.json' with { type: 'json' };
import dragging from './dragging.json' with { type: 'json' };
import editor from './editor.json' with { type: 'json' };
import files from './files.json' with { type: 'json' };
import filters from './filters.json' with { type: 'json' };
import home from './home.json' with { type: 'json' };
import history from './history.json' with { type: 'json' };
import installable from './installable.json' with { type: 'json' };
import jobs from './jobs.json' with { type: 'json' };
import listing from './listing.json' with { type: 'json' };
import marks from './marks.json' with { type: 'json' };
import palette from './palette.json' with { type: 'json' };
import photos from './photos.json' with { type: 'json' };
import player from './player.json' with { type: 'json' };
import previews from './previews.json' with { type: 'json' };
import search from './search.json' with { type: 'json' };
import sessions from './sessions.json' with { type: 'json' };
import settings from './settings.json' with { type: 'json' };
import shares from './shares.json' with { type: 'json' };
import space from './space.json' with { type: 'json' };
import storage from './storage.json' with { type: 'json' };
import trash from './trash.json' with { type: 'json' };
import uploads from './uploads.json' with { type: 'json' };
import users from './users.json' with { type: 'json' };
import versions from './versions.json' with { type: 'json' };

/** Every text of the product in English: the source of the key types and the fallback of all other locales. */
export const texts = {
  app,
  commands,
  common,
  dragging,
  editor,
  files,
  filters,
  history,
  home,
  installable,
  jobs,
  listing,
  marks,
  palette,
  photos,
  player,
  previews,
  search,
  sessions,
  settings,
  shares,
  space,
  storage,
  trash,
  uploads,
  users,
  versions,
};
