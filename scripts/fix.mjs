// npm run fix: applies the automatic fixes of lint and format.
import { ensureInstalled, requireNode, runTool } from './lib/prepare.mjs';

requireNode();
ensureInstalled();
runTool('oxlint', 'bin/oxlint', ['--fix']);
runTool('oxfmt', 'bin/oxfmt', ['.']);
