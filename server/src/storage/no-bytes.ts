/** Yields no bytes, to create or truncate files. */
export async function* noBytes(): AsyncGenerator<Uint8Array> {}
