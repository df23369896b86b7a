import { spawn } from 'node:child_process';
import { programEnvironment } from '../../programs/program-environment.ts';

/** Time limit of the program, in milliseconds. */
const timeoutMs = 10_000;
/** Maximum size of the output, in bytes. */
const maxOutputBytes = 64 * 1024;
/** Maximum number of concurrent runs. Further sign-ins fail with `sign_in_unavailable`. */
const maxRunning = 16;

let running = 0;

function run(file: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    // A separate process group, so that child processes can be killed with it.
    const child = spawn(file, args, {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
      shell: false,
    });
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = (reason: string): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        child.kill('SIGKILL');
      }
      child.stdout.destroy();
      reject(new Error(reason));
    };
    const timer = setTimeout(() => stop(`it took more than ${timeoutMs / 1000} seconds`), timeoutMs);
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > maxOutputBytes) stop(`it wrote more than ${maxOutputBytes} bytes`);
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(Buffer.concat(chunks, length).toString('utf8'));
      else reject(new Error(`it ended with ${code === null ? `the signal ${signal}` : `status ${code}`}`));
    });
  });
}

/**
 * Runs the administrator's sign-in program without a shell. Username and password are passed in its
 * environment as `USERNAME` and `PASSWORD`, in addition to the environment of every program and the server's
 * `passedVariables`. Returns its output. Throws if it cannot start, fails, exceeds the time limit or writes
 * too much.
 */
export async function runSignInProgram(
  [file = '', ...args]: readonly string[],
  { username, password }: { username: string; password: string },
  passedVariables: readonly string[],
): Promise<string> {
  if (running >= maxRunning) throw new Error('too many run at once');
  running += 1;
  try {
    const inherited = programEnvironment(process.env, passedVariables);
    return await run(file, args, { ...inherited, USERNAME: username, PASSWORD: password });
  } finally {
    running -= 1;
  }
}
