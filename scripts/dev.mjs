// npm run dev: starts the server, restarted on changes, and the web app with hot reload. Arguments are passed to the server.
import { spawn } from 'node:child_process';
import { ensureInstalled, requireNode, tool, top } from './lib/prepare.mjs';

requireNode();
ensureInstalled();
const start = (args) => spawn(process.execPath, args, { cwd: top, stdio: 'inherit' });
const children = [
  start([tool('tsx', 'dist/cli.mjs'), 'watch', 'server/src/main.ts', ...process.argv.slice(2)]),
  start([tool('vite', 'bin/vite.js'), '--config', 'web/vite.config.ts']),
];
const stopAll = () => children.forEach((child) => child.kill('SIGTERM'));
process.on('SIGINT', stopAll);
process.on('SIGTERM', stopAll);
for (const child of children) child.on('exit', stopAll);
