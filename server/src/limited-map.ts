/**
 * A map of at most `maxSize` entries, for values that can be computed again. Adding to a full map empties it first: that
 * needs no record of when entries were used, and all are computed again only once per `maxSize` new keys.
 */
export class LimitedMap<K, V> extends Map<K, V> {
  readonly #maxSize: number;

  constructor(maxSize: number) {
    super();
    this.#maxSize = maxSize;
  }

  override set(key: K, value: V): this {
    if (this.size >= this.#maxSize && !this.has(key)) this.clear();
    return super.set(key, value);
  }
}
