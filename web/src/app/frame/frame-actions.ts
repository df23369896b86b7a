/** What can be done on every screen: the keys, the help and the list of commands all read this list. */
export const frameActions = [
  // Firefox keeps Ctrl+Shift+P for private windows.
  { id: 'palette', keys: ['Shift+F1', 'Mod+Shift+P'] },
  { id: 'help', keys: ['F1', '?'] },
  { id: 'sidebar', keys: ['['] },
] as const;

export type FrameActionId = (typeof frameActions)[number]['id'];
