import { displayName } from '../../i18n/display-name.ts';
import { formatSize } from '../../i18n/format.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { fileKind } from '../../ui/names/file-kind.ts';
import type { PlacedNode } from './map-layout.ts';
import type { Rect } from './squarify.ts';

/** The tokens of the colors that the map uses (styles/tokens.css). */
const tokens = {
  surface: '--surface',
  folder: '--honey-soft',
  folderLine: '--honey-back',
  rest: '--track',
  line: '--line',
  text: '--text',
  muted: '--text-muted',
  accent: '--accent',
  image: '--kind-image',
  audio: '--kind-audio',
  video: '--kind-video',
  document: '--kind-document',
  sheet: '--kind-sheet',
  slides: '--kind-slides',
  archive: '--kind-archive',
  code: '--kind-code',
  pdf: '--kind-pdf',
  other: '--kind-other',
} as const;

/** The colors of the current theme, and the font. */
export type MapColors = Readonly<Record<keyof typeof tokens, string>> & { readonly font: string };

/** The fraction of the kind's color in the background of a file. */
const tint = 0.22;
const fontPx = 12;
const paddingPx = 7;
/** The smallest rectangles that have a name, and a size below it, in px. */
const minNamePx = { width: 40, height: 17 };
const minSizePx = 38;
/** The middle of a name with a size below it, from the upper edge. */
const sizedNamePx = 14;

/** Resolves the colors at `element`, which themes define by functions of CSS. */
export function readColors(element: HTMLElement): MapColors {
  const probe = document.createElement('span');
  element.append(probe);
  const style = getComputedStyle(probe);
  const colors = Object.fromEntries(
    Object.entries(tokens).map(([name, token]) => {
      probe.style.color = `var(${token})`;
      return [name, style.color];
    }),
  ) as Record<keyof typeof tokens, string>;
  const { fontFamily } = style;
  probe.remove();
  return { ...colors, font: `${fontPx}px ${fontFamily}` };
}

interface DrawnMap {
  readonly placed: readonly PlacedNode[];
  readonly size: { readonly width: number; readonly height: number };
  readonly colors: MapColors;
  /** The path of the entry under the pointer. */
  readonly hovered: string | null;
  /** Whether the map begins at the right. */
  readonly isMirrored: boolean;
  readonly restName: string;
}

/** Draws the map with the resolution of the screen. */
export function drawMap(
  canvas: HTMLCanvasElement,
  { placed, size, colors, hovered, isMirrored, restName }: DrawnMap,
): void {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(size.width * ratio);
  canvas.height = Math.round(size.height * ratio);
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.scale(ratio, ratio);
  context.clearRect(0, 0, size.width, size.height);
  context.font = colors.font;
  context.textBaseline = 'middle';
  context.direction = isMirrored ? 'rtl' : 'ltr';
  const mirrored = (rect: Rect): Rect =>
    isMirrored ? { ...rect, x: size.width - rect.x - rect.width } : rect;
  for (const { node, rect: logical, isOpen } of placed) {
    const rect = inset(mirrored(logical));
    if (rect.width <= 0 || rect.height <= 0) continue;
    const { kind } = node;
    context.globalAlpha = 1;
    context.fillStyle = colors.surface;
    context.fillRect(rect.x, rect.y, rect.width, rect.height);
    context.globalAlpha = kind === 'file' ? tint : 1;
    context.fillStyle =
      kind === 'folder' ? colors.folder : kind === 'rest' ? colors.rest : colorOf(node.name, colors);
    context.fillRect(rect.x, rect.y, rect.width, rect.height);
    context.globalAlpha = 1;
    context.lineWidth = 1;
    context.strokeStyle = kind === 'folder' ? colors.folderLine : colors.line;
    context.globalAlpha = kind === 'folder' ? 0.5 : 1;
    context.strokeRect(rect.x + 0.5, rect.y + 0.5, rect.width - 1, rect.height - 1);
    context.globalAlpha = 1;
    if (rect.width < minNamePx.width || rect.height < minNamePx.height) continue;
    context.save();
    context.beginPath();
    context.rect(rect.x, rect.y, rect.width - 2, rect.height);
    context.clip();
    context.fillStyle = colors.text;
    const x = isMirrored ? rect.x + rect.width - paddingPx : rect.x + paddingPx;
    const room = rect.width - 2 * paddingPx;
    const name = kind === 'rest' ? restName : displayName(node.name);
    const hasSize = !isOpen && rect.height >= minSizePx;
    // The head of an open folder is as high as one line.
    const y = rect.y + (hasSize ? sizedNamePx : 9);
    context.font = hasSize ? `600 ${colors.font}` : colors.font;
    context.fillText(isolateBidi(shortened(context, name, room)), x, y);
    if (hasSize) {
      context.font = colors.font;
      context.fillStyle = colors.muted;
      context.fillText(isolateBidi(shortened(context, formatSize(node.bytes), room)), x, y + fontPx + 4);
    }
    context.restore();
  }
  const marked = placed.find(({ node }) => node.path === hovered);
  if (!marked) return;
  const { x, y, width, height } = inset(mirrored(marked.rect));
  context.strokeStyle = colors.accent;
  context.lineWidth = 2;
  context.strokeRect(x + 1, y + 1, width - 2, height - 2);
}

/** Leaves a gap between neighbors. */
const inset = ({ x, y, width, height }: Rect): Rect => ({
  x: x + 1,
  y: y + 1,
  width: width - 2,
  height: height - 2,
});

function colorOf(name: string, colors: MapColors): string {
  const kind = fileKind({ name, type: 'blob', isFolder: false });
  return kind in tokens ? colors[kind as keyof typeof tokens] : colors.other;
}

/** Shortens a string to `room` px. */
function shortened(context: CanvasRenderingContext2D, text: string, room: number): string {
  const { width } = context.measureText(text);
  if (width <= room) return text;
  const length = Math.floor((text.length * room) / width) - 1;
  return length < 2 ? '' : `${text.slice(0, length)}…`;
}
