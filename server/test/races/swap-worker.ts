import { existsSync, lstatSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { type SwapRequest, type SwappedPlace, plantPlace, stopIndex } from './swapped-places.ts';

/** Swaps entries with links to targets outside the user's folder, until it is stopped. */

/** The number of turns after which a path is restored to its initial state. */
const turnsBetweenRepairs = 40;
/** The maximum time in one state in milliseconds; half of them are as short as possible. */
const longestPauseMs = 1.5;

const sleeper = new Int32Array(new SharedArrayBuffer(4));
const pause = (): void => {
  const ms = (Math.random() - 0.5) * 2 * longestPauseMs;
  if (ms > 0) Atomics.wait(sleeper, 0, 0, ms);
};

/** The server works on the same names, so any of these calls may fail. */
function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** Replaces the target of a link atomically. */
function replaceLink(path: string, target: string): boolean {
  attempt(() => rmSync(`${path}.new-link`, { force: true }));
  return attempt(() => {
    symlinkSync(target, `${path}.new-link`);
    renameSync(`${path}.new-link`, path);
  });
}

function swapOnce(place: SwappedPlace, isRepaired: boolean, changed: () => void, picture: Uint8Array): void {
  const { kind, path, swapPath, outside } = place;
  if (kind === 'link') {
    if (!replaceLink(path, outside)) attempt(() => rmSync(path, { recursive: true, force: true }));
    changed();
    pause();
    if (isRepaired) attempt(() => plantPlace(place, picture));
    replaceLink(path, swapPath);
    changed();
    return;
  }
  if (!attempt(() => renameSync(path, swapPath)) && !existsSync(swapPath)) {
    attempt(() => plantPlace(place, picture, swapPath));
  }
  // An entry that the server created under the free name is removed.
  if (!attempt(() => symlinkSync(outside, path))) {
    attempt(() => rmSync(path, { recursive: true, force: true }));
    attempt(() => symlinkSync(outside, path));
  }
  changed();
  pause();
  if (isRepaired) attempt(() => plantPlace(place, picture, swapPath));
  if (isLink(path)) attempt(() => rmSync(path));
  if (!attempt(() => renameSync(swapPath, path))) {
    attempt(() => rmSync(path, { recursive: true, force: true }));
    attempt(() => renameSync(swapPath, path));
  }
  changed();
}

parentPort?.once('message', ({ places, counts, picture }: SwapRequest) => {
  for (let turns = 0; Atomics.load(counts, stopIndex(places)) === 0; turns++) {
    for (const [index, place] of places.entries()) {
      swapOnce(place, turns % turnsBetweenRepairs === 0, () => Atomics.add(counts, index, 1), picture);
      pause();
    }
  }
  parentPort?.postMessage('stopped', []);
  parentPort?.close();
});
