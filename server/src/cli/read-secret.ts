import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CliError, type Terminal } from './command.ts';

/** Variable for passing a password. It differs from the one for the server's first start. */
export const passwordVariable = 'FILESTEAD_NEW_PASSWORD';

/** Maximum length of a line, in characters. */
const maxLineLength = 4096;

async function promptHidden({ stdin, warn }: Terminal): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: nowhere, terminal: true });
  try {
    warn('Password (it is not shown):');
    return await reader.question('');
  } finally {
    reader.close();
  }
}

async function firstLineOf(stdin: Terminal['stdin']): Promise<string> {
  let text = '';
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.includes('\n') || text.length > maxLineLength) break;
  }
  return text.split(/\r?\n/, 1)[0] ?? '';
}

/**
 * Reads a password without exposing it in the process list or the shell history: from the variable, otherwise
 * typed at a terminal, otherwise from the first line of the standard input. Throws {@link CliError} if there
 * is none.
 */
export async function readSecret(terminal: Terminal): Promise<string> {
  const fromVariable = terminal.env[passwordVariable] ?? '';
  if (fromVariable !== '') return fromVariable;
  const { stdin } = terminal;
  const found = stdin.isTTY === true ? await promptHidden(terminal) : await firstLineOf(stdin);
  if (found === '') {
    throw new CliError(
      `no password was given: as an argument, in ${passwordVariable} or on the standard input`,
    );
  }
  return found;
}
