import { hashPassword } from '../access/sign-in/passwords.ts';
import type { CommandCall } from './command.ts';
import { readSecret } from './read-secret.ts';

/** `hash`: prints a hash that the server accepts as `--password`. */
export async function printHash({ words, terminal }: CommandCall): Promise<void> {
  terminal.print(await hashPassword(words[0] ?? (await readSecret(terminal))));
}
