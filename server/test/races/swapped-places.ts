import { mkdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The kind of swap. A folder or file is replaced by a link and restored; a link gets another target. */
export type SwapKind = 'folder' | 'file' | 'link';

/** A path in a scope that leads out of it half of the time. Paths are disk paths. */
export interface SwappedPlace {
  readonly kind: SwapKind;
  readonly path: string;
  /** The path of the real folder or file meanwhile; for a link its target inside. */
  readonly swapPath: string;
  /** The target of the link that replaces it. */
  readonly outside: string;
}

/** The data of the swapping thread. `counts` contains one number per place and {@link stopIndex}. */
export interface SwapRequest {
  readonly places: readonly SwappedPlace[];
  /** Odd while the place leads out; grows by one with each swap. */
  readonly counts: Int32Array;
  readonly picture: Uint8Array;
}

/** The index in `counts` that stops the thread once it is not 0. */
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

/** Creates a folder with the tree. */
export function plantTree(folder: string, text: string, picture: Uint8Array): void {
  for (const [name, content] of Object.entries(treeFiles(text))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  writeFileSync(join(folder, 'pic.png'), picture);
}

/** A size that no file inside has, in bytes, and a time that none has; responses are searched for both. */
export const outsideSize = 3_777_773;
export const outsideTime = new Date('2001-02-03T04:05:06Z');

/** The counterpart outside, which no request may see: it differs in text, size, time and one name. */
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

/** Restores the initial state of a path, which must not be a link at the moment. */
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
