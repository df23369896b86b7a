/** The background on which a picture with transparency is shown. */
export type Background = 'checkered' | 'light' | 'dark';
export const backgrounds = ['checkered', 'light', 'dark'] as const satisfies readonly Background[];

/** Whether a picture is in a format that has transparency, by its name. */
export const mayBeTransparent = (name: string): boolean =>
  /\.(?:svg|png|apng|gif|webp|avif|ico)$/iu.test(name);

/** The edge of the copy that is examined, in px. A pixel of it is the mean of many of a large picture. */
const sampleEdgePx = 64;
/** The least alpha value of an opaque pixel; scaling rounds. */
const opaqueAlpha = 250;

/** Whether a loaded picture has transparent pixels. */
export function hasTransparency(image: HTMLImageElement, name: string): boolean {
  if (!mayBeTransparent(name)) return false;
  const canvas = document.createElement('canvas');
  canvas.width = sampleEdgePx;
  canvas.height = sampleEdgePx;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return true;
  try {
    context.drawImage(image, 0, 0, sampleEdgePx, sampleEdgePx);
    const { data } = context.getImageData(0, 0, sampleEdgePx, sampleEdgePx);
    for (let index = 3; index < data.length; index += 4) if ((data[index] ?? 0) < opaqueAlpha) return true;
    return false;
  } catch {
    // Some browsers do not let pages read drawings with embedded documents.
    return true;
  }
}
