/** The keys that move and select in the listing (attach-keys.ts), for the help. */
export const listingKeys = [
  { id: 'move', keys: ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] },
  { id: 'moveOnly', keys: ['Mod+ArrowUp', 'Mod+ArrowDown'] },
  { id: 'range', keys: ['Shift+ArrowUp', 'Shift+ArrowDown', 'Shift+Space'] },
  { id: 'ends', keys: ['Home', 'End'] },
  { id: 'pages', keys: ['PageUp', 'PageDown'] },
  { id: 'toggle', keys: ['Ctrl+Space'] },
  { id: 'menu', keys: ['Shift+F10'] },
  { id: 'type', keys: ['A … Z'] },
] as const;
