/** A command that is currently available, to be found by its name. */
export interface PaletteCommand {
  /** Unique among the commands that are offered together. */
  readonly id: string;
  /** In the user's language. */
  readonly label: string;
  /** The category of the command, such as "Settings". */
  readonly group: string;
  /** For example `Mod+C`. */
  readonly shortcut?: string | undefined;
  readonly run: () => void;
}
