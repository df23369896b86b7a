type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/**
 * Returns `column`, or a larger copy with room for `length` values, and for at least `reserved` ones. Memory that is not written to takes no
 * space, whereas copies leave gaps that the process keeps: a column is reserved in its full size if that is known.
 */
export function growColumn<T extends Column>(column: T, length: number, reserved = 1024): T {
  if (length <= column.length) return column;
  const larger = new (column.constructor as new (length: number) => T)(
    Math.max(Math.ceil(length * 1.25), reserved),
  );
  larger.set(column);
  return larger;
}
