/** Something that can be done now, to be found by its name. */
export interface PaletteCommand {
  /** Unique among the commands that are offered together. */
  readonly id: string;
  /** In the user's language. */
  readonly label: string;
  /** What kind of command it is, such as "Settings". */
  readonly group: string;
  /** Such as `Mod+C`. */
  readonly shortcut?: string | undefined;
  readonly run: () => void;
}
