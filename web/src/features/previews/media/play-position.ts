const key = 'filestead.playing';
/** Recordings that are remembered. */
const most = 100;
/** Shorter recordings begin anew each time, in seconds. */
const shortestSeconds = 120;
/** So near to its end a recording counts as over, in seconds. */
const endSeconds = 15;

type Positions = readonly (readonly [id: string, seconds: number])[];

function kept(): Positions {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(found)
      ? (found.filter((one) => Array.isArray(one) && one.length === 2) as Positions)
      : [];
  } catch {
    return [];
  }
}

/** Where the recording `id` was left in this browser, in seconds; 0: at its beginning. */
export function playPosition(id: string): number {
  const seconds = Number(kept().find(([one]) => one === id)?.[1]);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}

/** Keeps how far a recording was played, unless it is short, hardly begun or over. All in seconds. */
export function keepPlayPosition(id: string, seconds: number, duration: number): void {
  const others = kept().filter(([one]) => one !== id);
  const isWorthIt = duration >= shortestSeconds && seconds > endSeconds && seconds < duration - endSeconds;
  const first: Positions = isWorthIt ? [[id, Math.floor(seconds)]] : [];
  const next: Positions = [...first, ...others].slice(0, most);
  try {
    if (next.length > 0) localStorage.setItem(key, JSON.stringify(next));
    else localStorage.removeItem(key);
  } catch {
    // Where the browser keeps nothing, a recording starts at its beginning again.
  }
}
