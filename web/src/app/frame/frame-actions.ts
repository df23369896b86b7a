/** The key that collapses the sidebar to its icons, or opens it as a drawer on narrow windows. */
export const sidebarShortcut = 'Mod+\\';

/**
 * The actions available on every screen, with their keys. The key handler, the help and the command palette read this
 * list.
 */
export const frameActions = [
  // Firefox reserves Ctrl+Shift+P for private windows.
  { id: 'palette', keys: ['Shift+F1', 'Mod+Shift+P'] },
  { id: 'help', keys: ['F1', '?'] },
  { id: 'sidebar', keys: [sidebarShortcut] },
] as const;

export type FrameActionId = (typeof frameActions)[number]['id'];
