/** Tab widths to choose from, in columns. */
export const tabSizes = [2, 4, 8] as const;
export type TabSize = (typeof tabSizes)[number];

/** How this browser likes its editor. */
export interface EditorSettings {
  readonly isWrapped: boolean;
  readonly tabSize: TabSize;
  /** In px. */
  readonly fontSize: number;
  /** Markdown is shown beside its text. */
  readonly isPreviewShown: boolean;
  /** Separated values are shown as a table beside their text. */
  readonly isTableShown: boolean;
}

export const smallestFont = 8;
export const largestFont = 32;

const storageKey = 'filestead.editor';
const defaults: EditorSettings = {
  isWrapped: true,
  tabSize: 4,
  fontSize: 14,
  isPreviewShown: false,
  isTableShown: true,
};

/** A size that can be read and that leaves room for text. */
export const fittingFont = (size: number): number =>
  Math.round(Math.min(Math.max(size, smallestFont), largestFont));

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
  const fontSize: unknown = Reflect.get(value, 'fontSize');
  const isPreviewShown: unknown = Reflect.get(value, 'isPreviewShown');
  const isTableShown: unknown = Reflect.get(value, 'isTableShown');
  return {
    isWrapped: typeof isWrapped === 'boolean' ? isWrapped : defaults.isWrapped,
    tabSize: tabSizes.find((size) => size === tabSize) ?? defaults.tabSize,
    fontSize: typeof fontSize === 'number' ? fittingFont(fontSize) : defaults.fontSize,
    isPreviewShown: isPreviewShown === true,
    isTableShown: isTableShown !== false,
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
