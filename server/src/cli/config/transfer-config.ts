import { ConfigError } from '../../config/config-error.ts';
import { type CommandCall, CliError } from '../command.ts';
import { configOf } from '../common-options.ts';
import { prepareDataFolder, assertDatabase, withChanges, withData } from '../open-data.ts';
import { readRecordFile, writeRecordFile } from '../records/record-file.ts';
import { storedText } from './change-config.ts';
import { configRecordOf, parseConfigRecord, storeConfig } from './config-record.ts';

/** `config export`: writes settings, stored start-up options and authentication method, without secrets. */
export async function exportConfig(call: CommandCall): Promise<void> {
  const { words, terminal } = call;
  const [path = ''] = words;
  const config = await configOf(call);
  assertDatabase(config);
  await writeRecordFile(terminal, path, await withData(config, configRecordOf));
  terminal.print(`The configuration was written to ${path}.`);
}

/** Throws {@link CliError} if a server could not be started with these options. */
async function checkServerOptions(call: CommandCall, options: Record<string, string>): Promise<void> {
  try {
    await configOf(call, { readStored: () => options });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new CliError(error.message.replace(/^the database: /, 'server.'), { cause: error });
  }
}

/** `config import`: replaces the stored configuration with that of a file. The server's own keys remain. */
export async function importConfig(call: CommandCall): Promise<void> {
  const { words, terminal } = call;
  const [path = ''] = words;
  const config = await configOf(call);
  const record = await readRecordFile(terminal, path);
  prepareDataFolder(config);
  const ignored = await withChanges(config, async (data) => {
    try {
      const parsed = parseConfigRecord(record, await data.database.settings.readAuthMethod());
      const [unknown] = parsed.unknown;
      if (unknown !== undefined) throw new CliError(`${unknown}: there is no such setting`);
      for (const [name, text] of Object.entries(parsed.serverOptions ?? {})) {
        if (parsed.serverOptions !== null) parsed.serverOptions[name] = storedText(name, text, terminal.cwd);
      }
      await checkServerOptions(call, parsed.serverOptions ?? {});
      await storeConfig(data, parsed);
      return parsed.ignored;
    } catch (error) {
      if (error instanceof CliError) throw new CliError(`${path}: ${error.message}`, { cause: error });
      throw error;
    }
  });
  for (const key of ignored) terminal.warn(`${key} has no effect in Filestead.`);
  terminal.print('The configuration was imported. Start-up options take effect at the next start.');
}
