import { useEffect } from 'react';
import { displayName } from '../../i18n/display-name.ts';
import { productName } from '../../api/page-config.ts';

/** Returns the page title: subject, screen, product (docs/reference/behaviour.md §2). Empty parts are omitted. */
export const pageTitle = (...parts: readonly string[]): string =>
  [...parts, productName]
    .filter((part) => part !== '')
    .map(displayName)
    .join(' - ');

/** Sets the title of the page as {@link pageTitle} does while the component is shown. */
export function usePageTitle(...parts: readonly string[]): void {
  const title = pageTitle(...parts);
  useEffect(() => {
    document.title = title;
  }, [title]);
}
