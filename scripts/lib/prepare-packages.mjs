// Makes what the quick tests of the packages download: Node, and the minimal system.
import { spawnSync } from 'node:child_process';
import { systemdSystem } from './minimal-system.mjs';
import { nodeBinary, thisPlatform } from './node-binary.mjs';

/**
 * Returns the folder of the minimal system, '' if this machine cannot create it, or null if the Node of the packages is missing as
 * well, without which none of them can be made. Prints the reasons. What has been made before is used again.
 */
export async function preparePackages() {
  try {
    await nodeBinary(thisPlatform);
  } catch (error) {
    console.log(
      `SKIPPED: the quick tests of the packages; their Node could not be downloaded: ${error.message}`,
    );
    return null;
  }
  // The tests name these requirements themselves.
  const isPossible =
    process.getuid?.() === 0 && spawnSync('sh', ['-c', 'command -v mmdebstrap']).status === 0;
  if (!isPossible) return '';
  try {
    return systemdSystem();
  } catch (error) {
    console.log(error.message);
    return '';
  }
}
