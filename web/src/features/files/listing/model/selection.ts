/** A range of positions, both ends inclusive. */
export interface PositionRange {
  readonly first: number;
  readonly last: number;
}

export type MarqueeMode = 'replace' | 'add' | 'invert';

/** The selected entries: one byte per id, so that it survives sorting and is cheap to change. */
export class Selection {
  #bytes = new Uint8Array(64);
  #count = 0;
  /** The selection at the start of the marquee. */
  #base: Uint8Array | null = null;
  #baseCount = 0;
  #isInverting = false;

  get count(): number {
    return this.#count;
  }

  has(id: number): boolean {
    return this.#bytes[id] === 1;
  }

  reserve(capacity: number): void {
    if (capacity <= this.#bytes.length) return;
    const larger = new Uint8Array(capacity);
    larger.set(this.#bytes);
    this.#bytes = larger;
    if (this.#base === null) return;
    const base = new Uint8Array(capacity);
    base.set(this.#base);
    this.#base = base;
  }

  set(id: number, isSelected: boolean): void {
    const value = isSelected ? 1 : 0;
    if (this.#bytes[id] === value) return;
    this.#bytes[id] = value;
    this.#count += isSelected ? 1 : -1;
  }

  /** Deselects the entries for which `isKept` is false. */
  retain(isKept: (id: number) => boolean): void {
    for (let id = 0; id < this.#bytes.length; id++)
      if (this.#bytes[id] === 1 && !isKept(id)) this.set(id, false);
  }

  clear(): void {
    this.#bytes.fill(0);
    this.#count = 0;
  }

  /** Adds the entries in a range of positions of `order`. */
  addRange(order: Uint32Array, { first, last }: PositionRange): void {
    for (let position = first; position <= last; position++) {
      const id = order[position] ?? 0;
      if (this.#bytes[id] === 1) continue;
      this.#bytes[id] = 1;
      this.#count++;
    }
  }

  beginMarquee(mode: MarqueeMode): void {
    this.#base = mode === 'replace' ? new Uint8Array(this.#bytes.length) : this.#bytes.slice();
    this.#baseCount = mode === 'replace' ? 0 : this.#count;
    this.#isInverting = mode === 'invert';
  }

  /** Restores the selection from the start of the marquee and changes it at the covered positions. */
  updateMarquee(order: Uint32Array, ranges: readonly PositionRange[]): void {
    if (this.#base === null) return;
    this.#bytes.set(this.#base);
    this.#count = this.#baseCount;
    for (const range of ranges) {
      if (!this.#isInverting) {
        this.addRange(order, range);
        continue;
      }
      for (let position = range.first; position <= range.last; position++) {
        const id = order[position] ?? 0;
        this.set(id, !this.has(id));
      }
    }
  }

  endMarquee(): void {
    this.#base = null;
  }
}
