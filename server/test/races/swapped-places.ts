import { mkdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** How a place is swapped. A folder and a file give their name to a link and take it back; a link is pointed elsewhere. */
export type SwapKind = 'folder' | 'file' | 'link';

/** A name in somebody's scope that leads out of it half of the time. Paths are those of the disk. */
export interface SwappedPlace {
  readonly kind: SwapKind;
  readonly path: string;
  /** Where the real folder or file waits meanwhile; for a link what it points to inside. */
  readonly swapPath: string;
  /** The target of the link in its place. */
  readonly outside: string;
}

/** The data of the swapping thread. `counts` contains one number per place and {@link stopIndex}. */
export interface SwapOrder {
  readonly places: readonly SwappedPlace[];
  /** Odd while the place leads out; grows by one with each turn. */
  readonly counts: Int32Array;
  readonly picture: Uint8Array;
}

/** Of `counts`: no longer 0 when the thread is to leave. */
export const stopIndex = (places: readonly SwappedPlace[]): number => places.length;

const subtitles = (text: string): string => `WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n`;

/** The content of every swapped folder, and of its counterpart outside. */
export const treeFiles = (text: string): Readonly<Record<string, string>> => ({
  'r.txt': text,
  'film.mp4': text,
  'film.vtt': subtitles(text),
  'victim.txt': text,
  'sub/x.txt': text,
  'sub/deep/y.txt': text,
});

/** Puts the tree into a folder, which is made. */
export function plantTree(folder: string, text: string, picture: Uint8Array): void {
  for (const [name, content] of Object.entries(treeFiles(text))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  writeFileSync(join(folder, 'pic.png'), picture);
}

/** A size that no file inside has, in bytes, and a time that none has; answers are searched for both. */
export const outsideSize = 3_777_773;
export const outsideTime = new Date('2001-02-03T04:05:06Z');

/** The same tree as nobody may see it: told apart by text, size, time, and a name of its own. */
export function plantOutside(folder: string, canary: string, picture: Uint8Array): void {
  plantTree(folder, canary, picture);
  writeFileSync(join(folder, `name-${canary}.txt`), canary);
  for (const name of [...Object.keys(treeFiles('')), `name-${canary}.txt`]) {
    truncateSync(join(folder, name), outsideSize);
  }
  for (const name of [...Object.keys(treeFiles('')), `name-${canary}.txt`, 'pic.png', 'sub/deep', 'sub']) {
    utimesSync(join(folder, name), outsideTime, outsideTime);
  }
}

/** Puts a place back to what it was at the start; it must not be a link at the moment. */
export function plantPlace({ kind, path, swapPath }: SwappedPlace, picture: Uint8Array, at = path): void {
  if (kind === 'file') {
    writeFileSync(at, 'inside');
    return;
  }
  const folder = kind === 'link' ? swapPath : at;
  rmSync(folder, { recursive: true, force: true });
  plantTree(folder, 'inside', picture);
  plantTree(join(folder, 'nested'), 'inside', picture);
}
