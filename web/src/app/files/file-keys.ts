/**
 * The keys of an opened file, by the component that handles them (use-preview-keys.ts, player-keys.ts, code-view.ts),
 * for the help.
 */
export const previewKeys = [
  { text: 'palette:keys.turn', keys: ['ArrowLeft', 'ArrowRight'] },
  { text: 'palette:keys.zoom', keys: ['Plus', 'Minus'] },
  { text: 'palette:keys.fit', keys: ['0'] },
  { text: 'previews:actualSize', keys: ['1'] },
  { text: 'previews:slideshow.label', keys: ['S'] },
  { text: 'previews:rotate', keys: ['R', 'Shift+R'] },
  { text: 'previews:player.minimize', keys: ['B'] },
  { text: 'previews:info', keys: ['I'] },
  { text: 'previews:rename', keys: ['F2'] },
  { text: 'previews:delete', keys: ['Delete'] },
  { text: 'previews:close', keys: ['Escape', 'Space'] },
] as const;

export const playerKeys = [
  { text: 'palette:keys.play', keys: ['Space', 'K'] },
  { text: 'palette:keys.skip', keys: ['ArrowLeft', 'ArrowRight'] },
  { text: 'previews:player.speed', keys: ['<', '>'] },
  { text: 'palette:keys.mute', keys: ['M'] },
  { text: 'palette:keys.fullscreen', keys: ['F'] },
] as const;

export const editorKeys = [
  { text: 'editor:save', keys: ['Mod+S'] },
  { text: 'editor:find', keys: ['Mod+F'] },
  { text: 'palette:keys.nextMatch', keys: ['F3', 'Shift+F3'] },
  { text: 'editor:search.goToLine', keys: ['Ctrl+G'] },
  { text: 'palette:keys.undoRedo', keys: ['Mod+Z', 'Mod+Shift+Z'] },
  { text: 'palette:keys.leaveTab', keys: ['Ctrl+M'] },
] as const;
