/** The description of an element: its role, or a kind of part of this product, and its accessible name. */
export interface Target {
  readonly role: 'entry' | 'listing' | 'text' | keyof typeof roleSelectors;
  /** The whole name, or a pattern for a part of it. */
  readonly name: string | RegExp;
}

/** An element that was found in the page. */
export interface Found {
  /** The center of the element in the viewport; null while it is covered or has no size. */
  readonly at: { readonly x: number; readonly y: number } | null;
  readonly isFocused: boolean;
  /** Whether it or its row is selected, or it is checked. */
  readonly isSelected: boolean;
  /** The value of a field, or the natural width of a picture. */
  readonly value: string;
}

/** CSS selectors of the elements that can have a role. */
export const roleSelectors = {
  alertdialog: '[role=alertdialog]',
  button: 'button, [role=button], summary',
  combobox: '[role=combobox]',
  dialog: '[role=dialog]:not([data-exiting])',
  heading: 'h1, h2, h3, [role=heading]',
  img: 'img, [role=img]',
  link: 'a[href]',
  menuitem: '[role=menuitem]',
  option: '[role=option]',
  radio: 'input[type=radio], [role=radio]',
  textbox: 'input:not([type]), input[type=text], input[type=password], textarea, [role=textbox]',
} as const;

/**
 * Runs in the page: returns the visible elements that match, scrolled into view. It refers to nothing outside itself, because its
 * source is sent. The accessible name is computed in the usual cases only.
 */
export function findInPage(selector: string, name: string, isPattern: boolean): Found[] {
  const tidy = (text: string): string =>
    text
      .replaceAll(/[\u2066-\u2069\u00AD]/gu, '')
      .replaceAll(/\s+/gu, ' ')
      .trim();
  const nameOf = (element: Element): string => {
    const label = element.getAttribute('aria-label');
    if (label !== null) return label;
    const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    if (ids.length > 0) return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
    const { labels } = element as HTMLInputElement;
    if (labels && labels.length > 0) return labels[0]?.textContent ?? '';
    return element.getAttribute('alt') ?? (element.textContent || (element.getAttribute('title') ?? ''));
  };
  const pattern = isPattern ? new RegExp(name, 'u') : null;
  const matches = (element: Element): boolean => {
    const found = tidy(nameOf(element));
    return pattern === null ? found === name : pattern.test(found);
  };
  const isShown = (element: Element): boolean =>
    element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible';
  return [...document.querySelectorAll(selector)].filter(matches).flatMap((element) => {
    // A radio button is drawn by its label.
    const target = element.matches('input[type=radio]') ? (element.closest('label') ?? element) : element;
    if (!isShown(target)) return [];
    target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const box = target.getBoundingClientRect();
    const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
    const hit = document.elementFromPoint(x, y);
    const isReachable = hit !== null && (target.contains(hit) || hit.contains(target));
    const row = element.closest('[data-id], [aria-selected]');
    const { value, naturalWidth, checked } = element as HTMLInputElement & HTMLImageElement;
    return [
      {
        at: isReachable ? { x, y } : null,
        isFocused: element === document.activeElement || row === document.activeElement,
        isSelected: checked || row?.getAttribute('aria-selected') === 'true',
        value: String(value ?? naturalWidth ?? ''),
      },
    ];
  });
}

/** Runs in the page: collects errors from now on, once for each document. */
export function watchErrors(): void {
  const page = window as unknown as { engineErrors?: string[] };
  if (page.engineErrors !== undefined) return;
  const errors: string[] = [];
  page.engineErrors = errors;
  window.addEventListener('error', ({ message }) => {
    // Browsers report this when they call an observer in the next frame, as the specification demands.
    if (!message.startsWith('ResizeObserver loop')) errors.push(`error: ${message}`);
  });
  window.addEventListener('unhandledrejection', ({ reason }) => errors.push(`rejection: ${String(reason)}`));
  const { error } = console;
  console.error = (...parts: unknown[]): void => {
    errors.push(`console: ${parts.map(String).join(' ')}`);
    error(...parts);
  };
}
