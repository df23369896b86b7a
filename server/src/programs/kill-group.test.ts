import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { isRunning } from '../../test/is-running.ts';
import { killGroup } from './kill-group.ts';

const isLinux = process.platform === 'linux';

test.skipIf(!isLinux)(
  'a program is killed with its child in another session and with its group',
  async () => {
    const [inside, outside] = [1, 2].map((part) => `${process.pid}${part}`) as [string, string];
    // Without forking, setsid makes the child the leader of another session and group.
    const script = `setsid sleep ${outside} & sleep ${inside} & wait`;
    const child = spawn('sh', ['-c', script], { detached: true, stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
    await expect.poll(() => isRunning(inside) && isRunning(outside)).toBe(true);
    killGroup(child);
    expect(await ended).toBe('SIGKILL');
    await expect.poll(() => [isRunning(inside), isRunning(outside)]).toEqual([false, false]);
    // There is nothing left to kill.
    killGroup(child);
  },
);
