// npm run kitchen-sink: serves a page with all parts of the interface in all states, for development.
import { ensureInstalled, requireNode, runTool } from './lib/prepare.mjs';

requireNode();
ensureInstalled();
runTool('vite', 'bin/vite.js', ['--config', 'web/kitchen-sink/vite.config.ts', ...process.argv.slice(2)]);
