// Minimal systems of Debian, in which the tests of the packages run and install them.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { top } from './prepare.mjs';
import { userCache } from './user-cache.mjs';

/**
 * Returns the folder of a minimal Debian of a release (Debian 12 if it is not named) with the given additional packages. Creates it if
 * it is older than this week. `variant` is that of mmdebstrap. Throws if it cannot be created.
 */
export function minimalSystem(
  name,
  { packages = ['ca-certificates'], release = 'bookworm', variant = 'minbase' } = {},
) {
  const script = join(top, 'packaging', 'test', 'fresh-chroot.sh');
  const args = [script, userCache('systems'), release, variant, name, ...packages];
  const { status, stdout, stderr, error } = spawnSync('sh', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`a minimal ${release} was not created: ${error?.message ?? stderr}`);
  return stdout.trim();
}

/** Returns the folder of the smallest Debian that boots with systemd and in which packages are installed. */
export const systemdSystem = () =>
  minimalSystem('systemd', { packages: ['systemd', 'adduser', 'libstdc++6'], variant: 'essential' });
