// npm run bench: measures the built product against yardsticks in the same run. `-- NAME…` runs only those parts.
import { ensureBuilt, ensureInstalled, requireNode, runTool } from './lib/prepare.mjs';

requireNode();
ensureInstalled();
ensureBuilt();
runTool('tsx', 'dist/cli.mjs', ['bench/main.ts', ...process.argv.slice(2)]);
