// npm run build: builds the server and the web app into their dist folders.
import { ensureInstalled, requireNode, runTool } from './lib/prepare.mjs';

requireNode();
ensureInstalled();
// Test runners set another value, which would bundle the development version of React. With this value npm would not
// install the tools of the build.
process.env.NODE_ENV = 'production';
const { buildServer } = await import('./build-server.mjs');
const inputs = await buildServer();
runTool('vite', 'bin/vite.js', ['build', '--config', 'web/vite.config.ts', '--logLevel', 'warn']);
const { writeNotices } = await import('./notices.mjs');
writeNotices(inputs);
