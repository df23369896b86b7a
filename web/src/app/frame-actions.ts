/** What can be done on every screen: the keys, the help and the list of commands all read this list. */
export const frameActions = [
  { id: 'palette', keys: ['Mod+Shift+P'] },
  { id: 'help', keys: ['F1', '?'] },
  { id: 'sidebar', keys: ['['] },
] as const;

export type FrameActionId = (typeof frameActions)[number]['id'];
