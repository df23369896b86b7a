import { storedJson, storeJson } from '../../ui/browser-storage.ts';

const storageKey = 'filestead.commands';
/** Maximum number of remembered commands. */
const maxCommands = 200;

function loadCommands(): string[] {
  const value = storedJson(storageKey, 'tab');
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string') : [];
}

/**
 * The command history of this tab, for the arrow keys. The position after the last command is the text that is being
 * typed.
 */
export class CommandHistory {
  #commands = loadCommands();
  #position = this.#commands.length;
  #draft = '';

  /** Adds a command that was run; consecutive repetitions count once. */
  add(line: string): void {
    if (this.#commands.at(-1) !== line) this.#commands = [...this.#commands, line].slice(-maxCommands);
    this.#position = this.#commands.length;
    this.#draft = '';
    storeJson(storageKey, this.#commands, 'tab');
  }

  /** Returns the previous command, or null at the first one. `current` is the text in the field. */
  older(current: string): string | null {
    if (this.#position === 0) return null;
    if (this.#position === this.#commands.length) this.#draft = current;
    this.#position -= 1;
    return this.#commands[this.#position] ?? null;
  }

  /** Returns the next command, and finally the text that was being typed; null after that. */
  newer(): string | null {
    if (this.#position >= this.#commands.length) return null;
    this.#position += 1;
    return this.#commands[this.#position] ?? this.#draft;
  }
}
