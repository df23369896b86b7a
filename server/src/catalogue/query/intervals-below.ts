import { type Columns, rootEntry } from '../columns/columns.ts';

/** Returns the intervals of entries that contain everything below `top`, in ascending order and without overlaps. */
export function intervalsBelow(columns: Columns, top: number): [number, number][] {
  if (top === rootEntry) return [[rootEntry + 1, columns.count]];
  const slot = columns.slotOf(top);
  const runs: [number, number][] = [
    [columns.folders.runStarts[slot] ?? 0, Math.min(columns.folders.runEnds[slot] ?? 0, columns.count)],
    ...columns.strayRuns.map(([start, end]): [number, number] => [start, Math.min(end, columns.count)]),
  ];
  if (!columns.isBuilding) runs.push([columns.ordered, columns.count]);
  runs.sort(([a], [b]) => a - b);
  const merged: [number, number][] = [];
  for (const [start, end] of runs) {
    const last = merged.at(-1);
    if (start >= end) continue;
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}
