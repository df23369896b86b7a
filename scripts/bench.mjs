// npm run bench: measures the built product against references in the same run. `-- NAME…` runs only those parts.
import { ensureBuilt, ensureInstalled, requireNode, runTool } from './lib/prepare.mjs';

requireNode();
ensureInstalled();
ensureBuilt();
// Parsing these certificates takes 70 ms in each process of Node, and no measurement connects to another machine.
delete process.env.NODE_EXTRA_CA_CERTS;
runTool('tsx', 'dist/cli.mjs', ['bench/main.ts', ...process.argv.slice(2)]);
