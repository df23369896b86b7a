import { useEffect, useLayoutEffect, useMemo, useRef, useState, type PointerEvent } from 'react';
import { displayName } from '../../i18n/display-name.ts';
import { formatPercent, formatSize } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { drawMap, readColors, type MapColors } from './draw-map.ts';
import { layOutMap, nodeAt } from './map-layout.ts';
import type { MapNode } from './map-tree.ts';
import styles from './space.module.css';

interface SpaceMapProps {
  root: MapNode;
  /** Opens a folder in the map, or shows a file in its folder. */
  onOpen: (node: MapNode) => void;
}

/** The entries of a folder as rectangles of their sizes. The table beside it has the same content for the keyboard and screen readers. */
export function SpaceMap({ root, onOpen }: SpaceMapProps) {
  const { t } = useTranslation('space');
  const area = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(area);
  const colors = useColors(area);
  const [hovered, setHovered] = useState<string | null>(null);
  const isMirrored = document.documentElement.dir === 'rtl';
  const placed = useMemo(
    () => layOutMap(root, { x: 0, y: 0, width: size.width, height: size.height }),
    [root, size],
  );
  useLayoutEffect(() => {
    const element = canvas.current;
    if (element && colors && size.width > 0)
      drawMap(element, { placed, size, colors, hovered, isMirrored, restName: t('rest') });
  }, [placed, size, colors, hovered, isMirrored, t]);
  const at = ({ clientX, clientY }: Pick<PointerEvent, 'clientX' | 'clientY'>) => {
    const box = canvas.current?.getBoundingClientRect();
    if (!box) return null;
    const x = isMirrored ? box.right - clientX : clientX - box.left;
    return nodeAt(placed, x, clientY - box.top)?.node ?? null;
  };
  const shown = hovered === null ? null : (placed.find(({ node }) => node.path === hovered)?.node ?? null);
  return (
    <div className={styles.mapArea}>
      <div ref={area} className={styles.map}>
        <canvas
          ref={canvas}
          aria-hidden="true"
          data-target={shown !== null && shown.kind !== 'rest' ? '' : undefined}
          onPointerMove={(event) => setHovered(at(event)?.path ?? null)}
          onPointerLeave={() => setHovered(null)}
          onClick={(event) => {
            const node = at(event);
            if (node && node.kind !== 'rest') onOpen(node);
          }}
        />
      </div>
      <p className={styles.hovered} aria-hidden="true">
        {shown ? (
          <>
            <bdi>{shown.kind === 'rest' ? t('rest') : displayName(shown.path)}</bdi>
            <bdi>
              {formatSize(shown.bytes)} · {formatPercent(root.bytes > 0 ? shown.bytes / root.bytes : 0)}
            </bdi>
          </>
        ) : (
          t('mapHint')
        )}
      </p>
    </div>
  );
}

/** Returns the size of an element, in px. */
function useSize(element: React.RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const measured = element.current;
    if (!measured) return undefined;
    const read = () => {
      const { clientWidth: width, clientHeight: height } = measured;
      setSize((old) => (old.width === width && old.height === height ? old : { width, height }));
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** Returns the colors of the theme, again when it changes. */
function useColors(element: React.RefObject<HTMLElement | null>): MapColors | null {
  const [colors, setColors] = useState<MapColors | null>(null);
  useEffect(() => {
    const read = () => element.current && setColors(readColors(element.current));
    read();
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', read);
    const observer = new MutationObserver(read);
    observer.observe(document.documentElement, { attributes: true });
    return () => {
      scheme.removeEventListener('change', read);
      observer.disconnect();
    };
  }, [element]);
  return colors;
}
