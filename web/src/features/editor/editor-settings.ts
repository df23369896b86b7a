/** The available tab widths, in columns. */
export const tabSizes = [2, 4, 8] as const;
export type TabSize = (typeof tabSizes)[number];

/** The editor settings of this browser. */
export interface EditorSettings {
  readonly isWrapped: boolean;
  readonly tabSize: TabSize;
  /** The font size in px. */
  readonly fontSize: number;
  /** Whether Markdown is rendered beside its text. */
  readonly isPreviewShown: boolean;
  /** Whether separated values are shown as a table beside their text. */
  readonly isTableShown: boolean;
}

export const minFontSize = 8;
export const maxFontSize = 32;

const storageKey = 'filestead.editor';
const defaults: EditorSettings = {
  isWrapped: true,
  tabSize: 4,
  fontSize: 14,
  isPreviewShown: false,
  isTableShown: true,
};

/** Limits a font size to the supported range. */
export const clampFontSize = (size: number): number =>
  Math.round(Math.min(Math.max(size, minFontSize), maxFontSize));

/** Parses stored settings; invalid values are replaced with the defaults. */
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
    fontSize: typeof fontSize === 'number' ? clampFontSize(fontSize) : defaults.fontSize,
    isPreviewShown: isPreviewShown === true,
    isTableShown: isTableShown !== false,
  };
}

/** Returns the settings of this browser. */
export function loadSettings(): EditorSettings {
  try {
    return parseSettings(localStorage.getItem(storageKey));
  } catch {
    // Without storage the settings last as long as the page.
    return defaults;
  }
}

/** Saves the settings in this browser. */
export function saveSettings(settings: EditorSettings): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(settings));
  } catch {
    // Without storage the settings last as long as the page.
  }
}
