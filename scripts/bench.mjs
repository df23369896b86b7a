// npm run bench: measures the built product against references in the same run. `-- NAME…` runs only those parts.
import { ensureBuilt, ensureInstalled, requireNode, runTool } from './lib/prepare.mjs';

requireNode();
ensureInstalled();
ensureBuilt();
runTool('tsx', 'dist/cli.mjs', ['bench/main.ts', ...process.argv.slice(2)]);
