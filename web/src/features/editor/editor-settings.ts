/** Tab widths to choose from, in columns. */
export const tabSizes = [2, 4, 8] as const;
export type TabSize = (typeof tabSizes)[number];

/** How this browser likes its editor. */
export interface EditorSettings {
  readonly isWrapped: boolean;
  readonly tabSize: TabSize;
}

const storageKey = 'filestead.editor';
const defaults: EditorSettings = { isWrapped: true, tabSize: 4 };

/** The remembered settings, whatever a stored text may hold. */
export function parseSettings(stored: string | null): EditorSettings {
  let value: unknown;
  try {
    value = JSON.parse(stored ?? 'null');
  } catch {
    return defaults;
  }
  if (typeof value !== 'object' || value === null) return defaults;
  const isWrapped: unknown = Reflect.get(value, 'isWrapped');
  const tabSize: unknown = Reflect.get(value, 'tabSize');
  return {
    isWrapped: typeof isWrapped === 'boolean' ? isWrapped : defaults.isWrapped,
    tabSize: tabSizes.find((size) => size === tabSize) ?? defaults.tabSize,
  };
}

export function loadSettings(): EditorSettings {
  try {
    return parseSettings(localStorage.getItem(storageKey));
  } catch {
    // Storage can be forbidden; then the settings last as long as the page.
    return defaults;
  }
}

export function keepSettings(settings: EditorSettings): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(settings));
  } catch {
    // See loadSettings.
  }
}
