/** The duration of a long press, in ms, and how far the finger may move meanwhile, in px. */
const longPressMs = 500;
const longPressTolerancePx = 10;
/** A timer that is later than this, in ms, runs on a page that was busy and may have events to handle first. */
const busyMs = 50;

/**
 * Recognizes a long press of a finger on one of several items. Times are those of the events, since a busy page handles them
 * late.
 */
export class LongPress<Id> {
  readonly #onHeld: (id: Id) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #press: { id: Id; x: number; y: number; atMs: number } | null = null;
  #isHeld = false;

  constructor(onHeld: (id: Id) => void) {
    this.#onHeld = onHeld;
  }

  /** Whether the long press has been recognized and the finger is still down. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  begin(id: Id, event: PointerEvent): void {
    this.#press = { id, x: event.clientX, y: event.clientY, atMs: event.timeStamp };
    this.#triggerAt(id, event.timeStamp + longPressMs);
  }

  moved(event: PointerEvent): void {
    if (this.#press === null) return;
    const distancePx = Math.hypot(event.clientX - this.#press.x, event.clientY - this.#press.y);
    if (distancePx > longPressTolerancePx) this.#reset();
  }

  /** Handles the lifted finger: a press that was long enough counts even if its timer is late. */
  end(event: PointerEvent): void {
    const press = this.#press;
    if (press !== null && event.timeStamp - press.atMs >= longPressMs) this.#trigger(press.id);
    this.cancel();
  }

  cancel(): void {
    this.#reset();
    this.#isHeld = false;
  }

  #triggerAt(id: Id, dueMs: number): void {
    this.#timer = setTimeout(() => {
      const nowMs = performance.now();
      // A page that was busy may run the timer before it learns that the finger was lifted long ago.
      if (nowMs - dueMs > busyMs) this.#triggerAt(id, nowMs + busyMs);
      else this.#trigger(id);
    }, dueMs - performance.now());
  }

  #reset(): void {
    clearTimeout(this.#timer);
    this.#press = null;
  }

  #trigger(id: Id): void {
    this.#reset();
    this.#isHeld = true;
    this.#onHeld(id);
  }
}
