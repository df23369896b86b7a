const storageKey = 'filestead.commands';
/** Older commands are forgotten. */
const most = 200;

function stored(): string[] {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(value) ? value.filter((line) => typeof line === 'string') : [];
  } catch {
    return [];
  }
}

/** The commands of this tab, as the arrows go through them. The last place is what is being typed. */
export class CommandHistory {
  #lines = stored();
  #place = this.#lines.length;
  #typed = '';

  /** Adds a command that was run; the same one twice in a row counts once. */
  add(line: string): void {
    if (this.#lines.at(-1) !== line) this.#lines = [...this.#lines, line].slice(-most);
    this.#place = this.#lines.length;
    this.#typed = '';
    try {
      sessionStorage.setItem(storageKey, JSON.stringify(this.#lines));
    } catch {
      // Storage is forbidden: the commands last as long as the page.
    }
  }

  /** The command before, or null at the first one. `current` is what stands in the field. */
  older(current: string): string | null {
    if (this.#place === 0) return null;
    if (this.#place === this.#lines.length) this.#typed = current;
    this.#place -= 1;
    return this.#lines[this.#place] ?? null;
  }

  /** The command after, at last what was being typed; null there. */
  newer(): string | null {
    if (this.#place >= this.#lines.length) return null;
    this.#place += 1;
    return this.#lines[this.#place] ?? this.#typed;
  }
}
