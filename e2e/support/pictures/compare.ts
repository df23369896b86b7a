import type { Picture } from './png.ts';

/**
 * The difference of a channel (of 255) from which a pixel counts as changed. Smoothed edges of letters, which change with
 * the version of the browser, stay below it after {@link shrink}.
 */
const channelTolerance = 24;
/** The side of the squares in which changes are counted, in px of the shrunken picture. */
const tilePx = 16;

/** The limits of {@link isAlike}: the fraction of changed pixels of the whole picture, and of any square of it. */
export const limits = { picture: 0.005, tile: 0.4 } as const;

/** The difference of two pictures of the same size. */
export interface Difference {
  /** The fraction of changed pixels. */
  readonly fraction: number;
  /** The square with the most changed pixels: their fraction, and its upper left corner. */
  readonly worst: { readonly fraction: number; readonly x: number; readonly y: number };
  /** The reference in pale gray, and changed pixels in red. */
  readonly picture: Picture;
}

/** Returns a picture of half the width and height; each pixel is the mean of four, in steps of 8 per channel. */
export function shrink({ width, height, pixels }: Picture): Picture {
  const halfWidth = width >> 1;
  const halfHeight = height >> 1;
  const half = new Uint8Array(halfWidth * halfHeight * 3);
  for (let y = 0; y < halfHeight; y++) {
    for (let x = 0; x < halfWidth; x++) {
      const from = (2 * y * width + 2 * x) * 3;
      const below = from + width * 3;
      for (let channel = 0; channel < 3; channel++) {
        const sum =
          (pixels[from + channel] ?? 0) +
          (pixels[from + 3 + channel] ?? 0) +
          (pixels[below + channel] ?? 0) +
          (pixels[below + 3 + channel] ?? 0);
        // The upper five bits, repeated below, so that white stays white.
        const step = sum >> 5;
        half[(y * halfWidth + x) * 3 + channel] = (step << 3) | (step >> 2);
      }
    }
  }
  return { width: halfWidth, height: halfHeight, pixels: half };
}

/** Returns a picture with at most 256 colors: the most frequent ones, and for the others the nearest of these. */
export function reduceColors({ width, height, pixels }: Picture): Picture {
  const counts = new Map<number, number>();
  const colors = new Uint32Array(pixels.length / 3);
  for (let pixel = 0; pixel < colors.length; pixel++) {
    const at = pixel * 3;
    const color = ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0);
    colors[pixel] = color;
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const frequent = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, 256);
  const nearest = new Map(frequent.map(([color]) => [color, color]));
  const find = (color: number): number => {
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (const [candidate] of frequent) {
      const distance =
        Math.abs((candidate >> 16) - (color >> 16)) +
        Math.abs(((candidate >> 8) & 255) - ((color >> 8) & 255)) +
        Math.abs((candidate & 255) - (color & 255));
      if (distance < least) [best, least] = [candidate, distance];
    }
    nearest.set(color, best);
    return best;
  };
  const reduced = Buffer.alloc(pixels.length);
  for (const [pixel, color] of colors.entries()) {
    reduced.writeUIntBE(nearest.get(color) ?? find(color), pixel * 3, 3);
  }
  return { width, height, pixels: reduced };
}

/** Compares two pictures pixel by pixel, or returns null if their sizes differ. */
export function compare(reference: Picture, actual: Picture): Difference | null {
  const { width, height } = reference;
  if (actual.width !== width || actual.height !== height) return null;
  const pixels = new Uint8Array(reference.pixels.length);
  const tilesAcross = Math.ceil(width / tilePx);
  const changedByTile = new Uint16Array(tilesAcross * Math.ceil(height / tilePx));
  let changed = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      let isChanged = false;
      let brightness = 0;
      for (let channel = at; channel < at + 3; channel++) {
        const value = reference.pixels[channel] ?? 0;
        brightness += value;
        if (Math.abs(value - (actual.pixels[channel] ?? 0)) > channelTolerance) isChanged = true;
      }
      if (isChanged) {
        changed++;
        const tile = Math.floor(y / tilePx) * tilesAcross + Math.floor(x / tilePx);
        changedByTile[tile] = (changedByTile[tile] ?? 0) + 1;
        pixels.set([224, 0, 32], at);
      } else pixels.fill(192 + Math.floor(brightness / 12), at, at + 3);
    }
  }
  const most = Math.max(...changedByTile);
  const worst = changedByTile.indexOf(most);
  return {
    fraction: changed / (width * height),
    worst: {
      fraction: most / tilePx ** 2,
      x: (worst % tilesAcross) * tilePx,
      y: Math.floor(worst / tilesAcross) * tilePx,
    },
    picture: { width, height, pixels },
  };
}

/** Whether a difference is small enough to be caused by another time, number or version of the browser. */
export const isAlike = ({ fraction, worst }: Difference): boolean =>
  fraction <= limits.picture && worst.fraction <= limits.tile;
