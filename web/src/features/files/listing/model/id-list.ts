/** A growing list of entry ids. */
export class IdList {
  #ids = new Uint32Array(64);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The ids, as a view that is valid until the list changes. */
  get ids(): Uint32Array {
    return this.#ids.subarray(0, this.#length);
  }

  at(index: number): number {
    return this.#ids[index] ?? 0;
  }

  push(id: number): void {
    this.#grow();
    this.#ids[this.#length++] = id;
  }

  insert(index: number, id: number): void {
    this.#grow();
    this.#ids.copyWithin(index + 1, index, this.#length++);
    this.#ids[index] = id;
  }

  removeAt(index: number): void {
    this.#ids.copyWithin(index, index + 1, this.#length--);
  }

  /** Removes the ids for which `shouldRemove` returns true. */
  removeAll(shouldRemove: (id: number) => boolean): void {
    let length = 0;
    for (let index = 0; index < this.#length; index++) {
      const id = this.at(index);
      if (!shouldRemove(id)) this.#ids[length++] = id;
    }
    this.#length = length;
  }

  #grow(): void {
    if (this.#length < this.#ids.length) return;
    const larger = new Uint32Array(this.#ids.length * 2);
    larger.set(this.#ids);
    this.#ids = larger;
  }
}
