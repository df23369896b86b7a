import { version } from '../version.ts';
import type { CommandCall } from './command.ts';

/** `version`: prints the version; with `--check` also whether there is a newer one. */
export async function printVersion(call: CommandCall): Promise<void> {
  if (call.options.isOn('check') === true) {
    const { checkVersion } = await import('./check-version.ts');
    await checkVersion(call);
    return;
  }
  call.terminal.print(`Filestead ${version}`);
}
