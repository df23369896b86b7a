/** Colours of the editor that a user can choose. */
export interface EditorThemeChoice {
  /** What is stored; other clients of the API know most of these names too. */
  readonly name: string;
  /** The palette's own name, the same in all languages. */
  readonly label: string;
}

/** The palettes of the editor, light ones first. An empty name follows the page. */
export const editorThemes = [
  { name: 'github', label: 'GitHub Light' },
  { name: 'solarized_light', label: 'Solarized Light' },
  { name: 'tomorrow', label: 'Tomorrow' },
  { name: 'github_dark', label: 'GitHub Dark' },
  { name: 'dracula', label: 'Dracula' },
  { name: 'monokai', label: 'Monokai' },
  { name: 'nord_dark', label: 'Nord' },
  { name: 'one_dark', label: 'One Dark' },
  { name: 'solarized_dark', label: 'Solarized Dark' },
] as const satisfies readonly EditorThemeChoice[];
export type EditorThemeName = (typeof editorThemes)[number]['name'];

/** Palettes of other clients, by a part of their names, and which of ours comes nearest. */
const near: readonly (readonly [RegExp, EditorThemeName])[] = [
  [/^solarized.*dark/u, 'solarized_dark'],
  [/^(?:solarized|gruvbox_light|katzenmilch|kuroir|dawn)/u, 'solarized_light'],
  [/^github.*dark/u, 'github_dark'],
  [/^dracula/u, 'dracula'],
  [/^(?:nord|cobalt)/u, 'nord_dark'],
  [/^(?:monokai|gruvbox|idle_fingers|kr_theme|merbivore|vibrant_ink|mono_industrial)/u, 'monokai'],
  [/dark|night|mocha|^(?:ambiance|chaos|gob|green_on_black|pastel_on_dark|terminal|twilight)/u, 'one_dark'],
  [/^(?:tomorrow|textmate|iplastic|sqlserver)/u, 'tomorrow'],
  [/light|day|^(?:chrome|clouds|crimson_editor|dreamweaver|eclipse|github|xcode)/u, 'github'],
];

/** The palette that a stored name means; null for an empty or unknown one: the editor follows the page. */
export function editorThemeOf(stored: string): EditorThemeName | null {
  const name = stored.toLowerCase().replaceAll('-', '_');
  const own = editorThemes.find((theme) => theme.name === name);
  if (own) return own.name;
  return near.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
