/**
 * The actions available on every screen, with their keys. The key handler, the help and the command palette read this
 * list.
 */
export const frameActions = [
  // Firefox reserves Ctrl+Shift+P for private windows.
  { id: 'palette', keys: ['Shift+F1', 'Mod+Shift+P'] },
  { id: 'help', keys: ['F1', '?'] },
  { id: 'sidebar', keys: ['['] },
] as const;

export type FrameActionId = (typeof frameActions)[number]['id'];
