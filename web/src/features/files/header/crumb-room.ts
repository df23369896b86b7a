/** The shown folder's name keeps at least this much room, in px, before a folder above it has to leave. */
const titleRoomPx = 160;

/** How many of the folders above the shown one find no room beside its name. */
export class CrumbRoom {
  #count = 0;
  #measured = '';
  readonly #listeners = new Set<() => void>();

  readonly getCount = (): number => this.#count;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Looks at the list as it is on the page, its last item the name: of `path`, below `most` others of which `hidden` are left out. */
  measure(list: HTMLElement | null, path: string, most: number, hidden: number): void {
    const roomPx = list?.parentElement?.clientWidth ?? 0;
    const items = [...(list?.children ?? [])];
    const title = items.pop()?.firstElementChild;
    if (!title) return;
    const asked = `${roomPx} ${path}`;
    if (asked !== this.#measured) {
      this.#measured = asked;
      if (hidden > 0) {
        // All of them get another chance, and are measured again once they are there.
        this.#set(0);
        return;
      }
    }
    const othersPx = items.reduce((sum, item) => sum + item.getBoundingClientRect().width, 0);
    const isTooMuch = othersPx + Math.min(title.scrollWidth, titleRoomPx) > roomPx;
    if (isTooMuch && hidden < most) this.#set(hidden + 1);
  }

  #set(count: number): void {
    this.#count = count;
    for (const listener of this.#listeners) listener();
  }
}
