import { fuzzyMatch } from './fuzzy-match.ts';
import type { PaletteCommand } from './palette-command.ts';

export interface CommandMatch {
  readonly command: PaletteCommand;
  /** The label, split into marked (matching) and other parts. */
  readonly parts: readonly { readonly text: string; readonly isMarked: boolean; readonly from: number }[];
}

/** Returns the commands that match `query`, best first; all of them in their order for an empty query. */
export function findCommands(query: string, commands: readonly PaletteCommand[]): CommandMatch[] {
  return commands
    .flatMap((command) => {
      const inLabel = fuzzyMatch(query, command.label);
      // "settings users" finds "Users" of the settings.
      const match = inLabel ?? fuzzyMatch(query, `${command.group} ${command.label}`);
      return match ? [{ command, score: match.score, positions: inLabel?.positions ?? [] }] : [];
    })
    .toSorted((a, b) => b.score - a.score)
    .map(({ command, positions }) => ({ command, parts: partsOf(command.label, new Set(positions)) }));
}

function partsOf(label: string, positions: ReadonlySet<number>): CommandMatch['parts'] {
  const parts: { text: string; isMarked: boolean; from: number }[] = [];
  for (const [at, letter] of Array.from(label).entries()) {
    const last = parts.at(-1);
    const isMarked = positions.has(at);
    if (last?.isMarked === isMarked) last.text += letter;
    else parts.push({ text: letter, isMarked, from: at });
  }
  return parts;
}
