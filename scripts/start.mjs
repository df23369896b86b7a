// npm start, npm run filestead: installs and builds what is missing, then serves or runs a command. Arguments after `--` go to Filestead.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, requireNode, top } from './lib/prepare.mjs';

requireNode();
ensureInstalled();
ensureBuilt();
// The user's current folder, which is the default root, instead of npm's.
process.chdir(process.env.INIT_CWD ?? process.cwd());
process.env.NODE_ENV ??= 'production';
await import(pathToFileURL(join(top, 'server', 'dist', 'main.js')).href);
