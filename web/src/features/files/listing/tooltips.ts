import { formatDateExact } from '../../../i18n/format.ts';

/** Gives a date its exact time as tooltip when the pointer comes: formatting both for every row costs while scrolling. */
export function attachTooltips(root: HTMLElement): () => void {
  const onOver = ({ target }: PointerEvent): void => {
    const date = target instanceof Element ? target.closest<HTMLElement>('time[data-at]') : null;
    if (date !== null) date.title = formatDateExact(Number(date.dataset['at']));
  };
  root.addEventListener('pointerover', onOver, { passive: true });
  return () => root.removeEventListener('pointerover', onOver);
}
