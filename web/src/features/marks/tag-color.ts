import { keyOfTag } from '@filestead/contract/values/tag-key';

/** The colors of tags, each recognizable on every surface in light and dark. */
const colors = ['image', 'audio', 'video', 'document', 'sheet', 'slides', 'archive', 'code'] as const;

/** Returns the color of a tag as a CSS value, which depends on its word only. */
export function tagColor(tag: string): string {
  let sum = 0;
  for (const character of keyOfTag(tag)) {
    sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  }
  return `var(--kind-${colors[sum % colors.length] ?? 'code'})`;
}
