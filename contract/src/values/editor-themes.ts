/** A color theme of the editor that a user can choose. */
export interface EditorThemeChoice {
  /** The stored name; other clients of the API know most of these names too. */
  readonly name: string;
  /** The theme's own name, the same in all languages. */
  readonly label: string;
}

/** The color themes of the editor, light ones first. An empty name follows the theme of the page. */
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

/** Themes of other clients, by a part of their names, and the closest of ours. */
const nearestThemes: readonly (readonly [RegExp, EditorThemeName])[] = [
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

/** Returns the theme for a stored name; null for an empty or unknown one, for which the editor follows the page. */
export function editorThemeOf(stored: string): EditorThemeName | null {
  const name = stored.toLowerCase().replaceAll('-', '_');
  const exact = editorThemes.find((theme) => theme.name === name);
  if (exact) return exact.name;
  return nearestThemes.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
