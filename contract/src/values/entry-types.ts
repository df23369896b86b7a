/** The type of an entry's content, which determines the icon and the screen that opens it; empty for folders. */
export const entryTypes = [
  '',
  'text',
  'textImmutable',
  'image',
  'audio',
  'video',
  'pdf',
  'blob',
  'invalid_link',
] as const;
