import type { KeyboardEvent, PointerEvent } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { clampHeight, maxHeight, minHeight, toggledHeight } from './shell-height.ts';
import styles from './shell-panel.module.css';

/** The distance by which an arrow key moves the edge, in px. */
const step = 24;

/** The movement of the pointer, in px, up to which a press on the edge is not a drag. */
const maxPressMove = 3;

/**
 * The upper edge of the panel, which changes the height by dragging or with the arrow keys. A press without dragging enlarges
 * the panel, or resets its height (WCAG 2.5.7).
 */
export function HeightHandle({ height, onChange }: { height: number; onChange: (height: number) => void }) {
  const { t } = useTranslation('commands');
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    const handle: HTMLElement = event.currentTarget;
    const startY = event.clientY;
    handle.setPointerCapture(event.pointerId);
    const dragging = new AbortController();
    const { signal } = dragging;
    let isDragged = false;
    const onMove = (moved: globalThis.PointerEvent) => {
      isDragged ||= Math.abs(moved.clientY - startY) > maxPressMove;
      if (isDragged) onChange(clampHeight(height + startY - moved.clientY));
    };
    handle.addEventListener('pointermove', onMove, { signal });
    handle.addEventListener('pointerup', () => isDragged || onChange(toggledHeight(height)), { signal });
    for (const end of ['pointerup', 'pointercancel'] as const) {
      handle.addEventListener(end, () => dragging.abort(), { signal });
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = {
      ArrowUp: height + step,
      ArrowDown: height - step,
      Home: maxHeight(),
      End: minHeight,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onChange(clampHeight(next));
  };
  return (
    <div
      role="separator"
      aria-orientation="horizontal"
      aria-label={t('height')}
      aria-valuemin={minHeight}
      aria-valuemax={maxHeight()}
      aria-valuenow={height}
      tabIndex={0}
      className={styles.handle}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}
