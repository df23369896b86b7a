import { commandEvents } from '@filestead/contract/settings';
import { updateSettings } from '../../settings/update-settings.ts';
import { type CommandCall, CliError } from '../command.ts';
import { configOf } from '../common-options.ts';
import { assertDatabase, withChanges, withData } from '../open-data.ts';
import { rangeOf } from './change-rules.ts';

type Commands = Readonly<Record<string, readonly string[]>>;

/** Returns the event of this name. Throws {@link CliError} if there is none. */
function assertEvent(event: string): string {
  const known = commandEvents.find((name) => name === event);
  if (known === undefined)
    throw new CliError(`“${event}” is not an event; the events are ${commandEvents.join(', ')}`);
  return known;
}

function describeCommands(commands: Commands, events: readonly string[]): string {
  return events
    .flatMap((event) => [`${event}:`, ...(commands[event] ?? []).map((line, index) => `  ${index}  ${line}`)])
    .join('\n');
}

/** Applies `change` to the commands of events and prints those of `event` afterwards. */
async function withCommands(
  call: CommandCall,
  event: string,
  change: (lines: readonly string[]) => string[],
): Promise<void> {
  const config = await configOf(call);
  assertDatabase(config);
  assertEvent(event);
  const text = await withChanges(config, async ({ settings }) => {
    const { current } = settings;
    const commands = { ...current.commands, [event]: change(current.commands[event] ?? []) };
    await updateSettings(settings, { ...current, commands });
    return describeCommands(settings.current.commands, [event]);
  });
  call.terminal.print(text);
}

/** `cmds add`: adds a command line to an event. */
export function addHook(call: CommandCall): Promise<void> {
  const [event = '', ...words] = call.words;
  const line = words.join(' ').trim();
  if (line === '') return Promise.reject(new CliError('the command is empty'));
  return withCommands(call, event, (lines) => [...lines, line]);
}

/** `cmds ls`: lists the command lines of all events, or of one. */
export async function listHooks(call: CommandCall): Promise<void> {
  const config = await configOf(call);
  assertDatabase(config);
  const event = call.options.text('event');
  const events = event === undefined ? commandEvents : [assertEvent(event)];
  const { commands } = await withData(config, ({ settings }) => Promise.resolve(settings.current));
  call.terminal.print(describeCommands(commands, events));
}

/** `cmds rm`: removes one command line of an event, or several consecutive ones. */
export function removeHooks(call: CommandCall): Promise<void> {
  const [event = '', ...range] = call.words;
  return withCommands(call, event, (lines) => {
    if (lines.length === 0) throw new CliError(`${event} has no commands`);
    const { from, to } = rangeOf(range, lines.length);
    return lines.filter((_, index) => index < from || index > to);
  });
}
