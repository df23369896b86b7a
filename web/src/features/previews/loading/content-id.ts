/**
 * Returns a short identifier of a file and its version, as a key for values that are stored in the browser. It
 * reveals neither, and does not depend on the token of a share.
 */
export function contentId(url: string, size: number): string {
  // FNV-1a, twice with different offset bases.
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
