/** A short name for a file's content and place that tells nothing of either, for what is kept in the browser; the key of a public link has no part in it. */
export function contentId(url: string, size: number): string {
  // FNV-1a, twice with different beginnings.
  const text = `${url.replace(/([?&])token=[^&]*/u, '$1')}|${size}`;
  const hash = (start: number): string => {
    let value = start;
    for (let index = 0; index < text.length; index++) {
      value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
    }
    return value.toString(36);
  };
  return `${hash(0x811c9dc5)}${hash(0x1234567)}`;
}
