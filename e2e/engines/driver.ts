import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A source of input of the W3C WebDriver protocol, which WebDriver BiDi uses unchanged. */
export interface InputSource {
  readonly type: 'key' | 'pointer';
  readonly id: string;
  readonly actions: readonly object[];
}

/** One browser with one window, reduced to the commands that the journeys need. */
export interface Driver {
  /** Loads an address and waits until the document is complete. */
  readonly navigate: (url: string) => Promise<void>;
  readonly goBack: () => Promise<void>;
  /** Evaluates an expression whose value is a string. */
  readonly evaluate: (expression: string) => Promise<string>;
  readonly perform: (sources: readonly InputSource[]) => Promise<void>;
  /** Chooses a file in the file field with this CSS selector. */
  readonly chooseFile: (selector: string, path: string) => Promise<void>;
  /** The folder in which downloaded files arrive. */
  readonly downloads: string;
  readonly close: () => Promise<void>;
}

/** The maximum time of one command, in ms. */
export const commandTimeoutMs = 30_000;

/** A program that a driver has started. */
export interface Program {
  /** Resolves to the first match in the output. Rejects if the program ends before. */
  readonly matchOutput: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Ends the program and the programs that it has started. */
  readonly end: () => Promise<void>;
}

/** Starts a program in a process group of its own. */
export function startProgram(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Program {
  const child: ChildProcess = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, ...env },
  });
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (part: string) => {
      output += part;
      for (const listener of listeners) listener();
    });
  }
  let failure: Error | null = null;
  const ended = once(child, 'close').then(
    () => new Error(`${command} ended: ${output}`),
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
  void ended.then((error) => (failure = error));
  return {
    matchOutput: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(output);
          if (match === null) return;
          listeners.delete(look);
          resolve(match);
        };
        listeners.add(look);
        look();
        void ended.then(reject);
      }),
    async end() {
      if (failure !== null || child.pid === undefined) return;
      process.kill(-child.pid, 'SIGKILL');
      await ended;
    },
  };
}
