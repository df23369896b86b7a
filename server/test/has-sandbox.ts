import { spawnSync } from 'node:child_process';

const args = '--unshare-all --unshare-user --die-with-parent --ro-bind / / true'.split(' ');

/** Whether bubblewrap works on this machine; tests of the sandbox are skipped if it does not. */
export const hasSandbox: boolean = spawnSync('bwrap', args, { stdio: 'ignore' }).status === 0;

if (!hasSandbox)
  process.stderr.write('bubblewrap is missing or may not work here: tests of the sandbox are skipped\n');
