import type { MapNode } from './map-tree.ts';
import { squarify, type Rect } from './squarify.ts';

/** The height of a folder's name above its entries, in px, and the space around them. */
const headPx = 18;
const framePx = 2;
/** Folders below this size show no entries, in px. */
const minInnerPx = 36;
/** Entries below this area are not drawn, in px². */
const minAreaPx = 6;

/** An entry of the map with its place. Folders precede the entries in them. */
export interface PlacedNode {
  readonly node: MapNode;
  readonly rect: Rect;
  readonly level: number;
  /** Whether entries are drawn inside. */
  readonly isOpen: boolean;
}

/** Places the entries of `root` in a rectangle. */
export function layOutMap(root: MapNode, rect: Rect): PlacedNode[] {
  const placed: PlacedNode[] = [];
  const place = (parent: MapNode, area: Rect, level: number): void => {
    const { children } = parent;
    const rects = squarify(
      children.map(({ bytes }) => bytes),
      area,
    );
    for (const [index, node] of children.entries()) {
      const own = rects[index];
      if (own === undefined || own.width * own.height < minAreaPx) continue;
      const inner = {
        x: own.x + framePx,
        y: own.y + headPx,
        width: own.width - 2 * framePx,
        height: own.height - headPx - framePx,
      };
      const isOpen = node.children.length > 0 && inner.width >= minInnerPx && inner.height >= minInnerPx;
      placed.push({ node, rect: own, level, isOpen });
      if (isOpen) place(node, inner, level + 1);
    }
  };
  place(root, rect, 0);
  return placed;
}

/** Returns the innermost entry at a point, or null. */
export function nodeAt(placed: readonly PlacedNode[], x: number, y: number): PlacedNode | null {
  return (
    placed.findLast(
      ({ rect }) => x >= rect.x && y >= rect.y && x < rect.x + rect.width && y < rect.y + rect.height,
    ) ?? null
  );
}
