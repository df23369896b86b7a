import type { EditorThemeName } from '@filestead/contract/values/editor-themes';

/** A color palette of the editor. */
export interface Palette {
  readonly isDark: boolean;
  readonly surface: string;
  readonly text: string;
  /** Comments and line numbers. */
  readonly muted: string;
  readonly keyword: string;
  readonly string: string;
  readonly number: string;
  readonly regexp: string;
  /** Functions, types and tags. */
  readonly name: string;
  readonly property: string;
  readonly selection: string;
}

/**
 * Well-known palettes in their authors' colors, except that colors with a contrast below 4.5 to 1 on their surface
 * (WCAG 2.2, 1.4.3) are darkened or lightened to reach it.
 */
export const palettes: Readonly<Record<EditorThemeName, Palette>> = {
  github: {
    isDark: false,
    surface: '#ffffff',
    text: '#1f2328',
    muted: '#59636e',
    keyword: '#cf222e',
    string: '#0a3069',
    number: '#0550ae',
    regexp: '#116329',
    name: '#6639ba',
    property: '#0550ae',
    selection: '#b6d7ff',
  },
  solarized_light: {
    isDark: false,
    surface: '#fdf6e3',
    text: '#4f666f',
    muted: '#596d75',
    keyword: '#5f6e00',
    string: '#1c746d',
    number: '#c22a74',
    regexp: '#c92826',
    name: '#1a6ca8',
    property: '#7f6000',
    selection: '#d6dcc6',
  },
  tomorrow: {
    isDark: false,
    surface: '#ffffff',
    text: '#4d4d4c',
    muted: '#6d6f6b',
    keyword: '#8959a8',
    string: '#5b7100',
    number: '#a8540a',
    regexp: '#c82829',
    name: '#3b6ba7',
    property: '#7d5f00',
    selection: '#d6d6d6',
  },
  github_dark: {
    isDark: true,
    surface: '#0d1117',
    text: '#e6edf3',
    muted: '#9198a1',
    keyword: '#ff7b72',
    string: '#a5d6ff',
    number: '#79c0ff',
    regexp: '#7ee787',
    name: '#d2a8ff',
    property: '#79c0ff',
    selection: '#264f78',
  },
  dracula: {
    isDark: true,
    surface: '#282a36',
    text: '#f8f8f2',
    muted: '#9aa5cb',
    keyword: '#ff79c6',
    string: '#f1fa8c',
    number: '#bd93f9',
    regexp: '#ff7b7b',
    name: '#50fa7b',
    property: '#8be9fd',
    selection: '#44475a',
  },
  monokai: {
    isDark: true,
    surface: '#272822',
    text: '#f8f8f2',
    muted: '#a09c87',
    keyword: '#ff6ea0',
    string: '#e6db74',
    number: '#b991ff',
    regexp: '#fd971f',
    name: '#a6e22e',
    property: '#66d9ef',
    selection: '#49483e',
  },
  nord_dark: {
    isDark: true,
    surface: '#2e3440',
    text: '#d8dee9',
    muted: '#a0abc1',
    keyword: '#8fb0d1',
    string: '#a3be8c',
    number: '#c9a5c2',
    regexp: '#ebcb8b',
    name: '#88c0d0',
    property: '#8fbcbb',
    selection: '#434c5e',
  },
  one_dark: {
    isDark: true,
    surface: '#282c34',
    text: '#b6bdca',
    muted: '#949eb0',
    keyword: '#cc82e3',
    string: '#98c379',
    number: '#d19a66',
    regexp: '#56b6c2',
    name: '#61afef',
    property: '#e98b92',
    selection: '#3e4451',
  },
  solarized_dark: {
    isDark: true,
    surface: '#002b36',
    text: '#93a1a1',
    muted: '#839aa1',
    keyword: '#95aa00',
    string: '#2fb0a6',
    number: '#ec7ab0',
    regexp: '#f28482',
    name: '#4fa7e6',
    property: '#c99a10',
    selection: '#0a4a59',
  },
};

/** The custom properties of {@link Palette} in the editor's theme. */
const tokens = {
  surface: '--code-surface',
  text: '--code-text',
  muted: '--code-muted',
  keyword: '--code-keyword',
  string: '--code-string',
  number: '--code-number',
  regexp: '--code-regexp',
  name: '--code-name',
  property: '--code-property',
  selection: '--code-selection',
} as const satisfies Record<Exclude<keyof Palette, 'isDark'>, string>;

/** Applies `palette` to the text within `element`; null restores the colors of the page. */
export function applyPalette(element: HTMLElement, palette: Palette | null): void {
  // Parts outside the palette, such as scroll bars and the search panel, follow its brightness.
  element.style.colorScheme = palette === null ? '' : palette.isDark ? 'dark' : 'light';
  for (const [part, token] of Object.entries(tokens)) {
    if (palette === null) element.style.removeProperty(token);
    else element.style.setProperty(token, palette[part as keyof typeof tokens]);
  }
}
