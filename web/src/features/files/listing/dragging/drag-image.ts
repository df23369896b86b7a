import { formatNumber } from '../../../../i18n/format.ts';
import styles from './drag-image.module.css';

/**
 * Creates the image that follows the pointer while entries are dragged: the picture of the dragged row or tile, for several entries
 * with their number. The caller removes it once the browser has drawn it.
 */
export function createDragImage(row: Element | null, count: number): HTMLElement {
  const image = document.createElement('div');
  image.className = styles['image'] ?? '';
  const picture = row?.querySelector('[data-part=icon] :is(img[data-loaded], svg)');
  if (picture) image.append(picture.cloneNode(true));
  if (count > 1) image.append(formatNumber(count));
  document.body.append(image);
  return image;
}
