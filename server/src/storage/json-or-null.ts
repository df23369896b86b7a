/** Parses JSON; null when it is not valid, because a crash has cut it. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
