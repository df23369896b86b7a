import { storedJson, storeJson } from '../../ui/browser-storage.ts';

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
export function parseSettings(value: unknown): EditorSettings {
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
export const loadSettings = (): EditorSettings => parseSettings(storedJson(storageKey));

/** Saves the settings in this browser. */
export const saveSettings = (settings: EditorSettings): void => storeJson(storageKey, settings);
