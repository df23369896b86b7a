// npm run build: builds the server and the web app into their dist folders.
import { ensureInstalled, requireNode, runTool } from './lib/prepare.mjs';

// Test runners set another value, which would bundle the development versions of React and its router.
process.env.NODE_ENV = 'production';

requireNode();
ensureInstalled();
const { buildServer } = await import('./build-server.mjs');
const inputs = await buildServer();
runTool('vite', 'bin/vite.js', ['build', '--config', 'web/vite.config.ts', '--logLevel', 'warn']);
const { writeNotices } = await import('./notices.mjs');
writeNotices(inputs);
