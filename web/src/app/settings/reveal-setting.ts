import type { SettingPlace } from './settings-entries.ts';

/** The time for which a revealed setting is highlighted, in ms; the animation of `data-revealed` has the same. */
const highlightMs = 4000;

const labelOf = (control: HTMLElement): string | undefined =>
  (control.dataset['control'] === 'switch'
    ? control.querySelector('span > span')
    : control.querySelector('[data-part="label"]')
  )?.textContent.trim();

/** Returns the heading of a section, or the field with a label in it; null if the page does not contain it yet. */
export function findSetting(page: ParentNode, { section, label }: SettingPlace): HTMLElement | null {
  for (const heading of page.querySelectorAll<HTMLElement>('section h2')) {
    if (heading.textContent.trim() !== section) continue;
    if (label === undefined) return heading;
    const controls = heading.closest('section')?.querySelectorAll<HTMLElement>('[data-control]') ?? [];
    for (const control of controls) if (labelOf(control) === label) return control;
  }
  return null;
}

/** Scrolls to a setting or a heading, highlights it and moves the focus there. */
function show(element: HTMLElement): void {
  element.scrollIntoView({ block: 'center' });
  const control = element.querySelector<HTMLElement>(
    'input:not([type="radio"]), input:checked, button, textarea',
  );
  if (control === null) element.tabIndex = -1;
  (control ?? element).focus({ preventScroll: true });
  element.dataset['revealed'] = '';
  setTimeout(() => delete element.dataset['revealed'], highlightMs);
}

/**
 * Shows a setting of `page` as soon as it is rendered, unless the user clicks or types first. Returns the function that
 * stops waiting.
 */
export function revealSetting(page: HTMLElement, place: SettingPlace): () => void {
  const waiting = new AbortController();
  const { signal } = waiting;
  const stop = () => waiting.abort();
  const tryToShow = (): void => {
    const element = findSetting(page, place);
    if (element === null) return;
    stop();
    show(element);
  };
  const observer = new MutationObserver(tryToShow);
  signal.addEventListener('abort', () => observer.disconnect());
  observer.observe(page, { childList: true, subtree: true });
  for (const type of ['pointerdown', 'keydown'] as const)
    document.addEventListener(type, stop, { signal, capture: true });
  tryToShow();
  return stop;
}
