import { useEffect } from 'react';
import { displayName } from '../../i18n/display-name.ts';
import { productName } from '../../api/page-config.ts';

/** The title of the page: what is shown, the screen, the product (docs/reference/behaviour.md §2). Empty parts are left out. */
export const pageTitle = (...parts: readonly string[]): string =>
  [...parts, productName]
    .filter((part) => part !== '')
    .map(displayName)
    .join(' - ');

/** Names the page as {@link pageTitle} while the component is shown. */
export function usePageTitle(...parts: readonly string[]): void {
  const title = pageTitle(...parts);
  useEffect(() => {
    document.title = title;
  }, [title]);
}
