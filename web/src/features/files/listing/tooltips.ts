import { formatDateExact } from '../../../i18n/format.ts';

/** Adds the exact time as tooltip to a date on hover. Formatting it for every row would slow down scrolling. */
export function attachTooltips(root: HTMLElement): () => void {
  const onOver = ({ target }: PointerEvent): void => {
    const date = target instanceof Element ? target.closest<HTMLElement>('time[data-at]') : null;
    if (date !== null) date.title = formatDateExact(Number(date.dataset['at']));
  };
  root.addEventListener('pointerover', onOver, { passive: true });
  return () => root.removeEventListener('pointerover', onOver);
}
