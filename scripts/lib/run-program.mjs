// Runs programs of the system, for the scripts that make packages.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program. Returns its output. Throws with its error output if it fails. */
export function runProgram(command, args, options = {}) {
  const result = spawnSync(command, args, { maxBuffer: 16 * 1024 * 1024, ...options });
  if (result.status !== 0) {
    throw new Error(`${command} failed: ${result.error?.message ?? result.stderr?.toString() ?? ''}`);
  }
  return result.stdout?.toString() ?? '';
}

/** Like {@link runProgram}, without its output, for programs that take long: others can be run at the same time. */
export async function runSlowProgram(command, args, options = {}) {
  const child = spawn(command, args, { ...options, stdio: ['pipe', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  child.stdin.end();
  const [status, signal] = await once(child, 'close');
  if (status !== 0) throw new Error(`${command} failed: ${errors || (signal ?? status)}`);
}
