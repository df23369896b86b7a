// npm run fix: repairs what lint and format can repair by themselves.
import { ensureInstalled, requireNode, runTool } from './lib/prepare.mjs';

requireNode();
ensureInstalled();
runTool('oxlint', 'bin/oxlint', ['--fix']);
runTool('prettier', 'bin/prettier.cjs', ['--write', '--log-level', 'warn', '.']);
