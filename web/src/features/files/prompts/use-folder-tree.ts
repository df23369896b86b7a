import { childOf, parentOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useCallback, useEffect, useRef, useState } from 'react';
import { isAbort } from '../../../api/call.ts';
import { transferFailureReason } from '../feedback/failure.ts';
import { listFolders } from '../folder/list-folders.ts';
import { ancestorsOf } from '../header/ancestors.ts';

/** The names of the folders in a folder; `loading`, or the text of an error, while there are none. */
export type Children = 'loading' | readonly string[] | { readonly failure: string };

export interface FolderTree {
  readonly isExpanded: (path: VirtualPath) => boolean;
  readonly childrenOf: (path: VirtualPath) => Children | undefined;
  readonly expand: (path: VirtualPath) => void;
  readonly collapse: (path: VirtualPath) => void;
  /** Expands all folders above `path`. Resolves to whether it exists. */
  readonly reveal: (path: VirtualPath) => Promise<boolean>;
  /** Reads a folder again. */
  readonly reload: (path: VirtualPath) => Promise<void>;
}

/** The folders of the user as a tree, read one level at a time. */
export function useFolderTree(): FolderTree {
  const [expanded, setExpanded] = useState<ReadonlySet<VirtualPath>>(() => new Set([rootPath]));
  const [known, setKnown] = useState<ReadonlyMap<VirtualPath, Children>>(new Map());
  const controller = useRef<AbortController | null>(null);
  const reads = useRef(new Map<VirtualPath, Promise<Children>>());

  const read = useCallback(async (path: VirtualPath): Promise<Children> => {
    controller.current ??= new AbortController();
    const { signal } = controller.current;
    let result: Children;
    try {
      result = await listFolders(path, signal);
    } catch (error) {
      result = isAbort(error) ? 'loading' : { failure: transferFailureReason(error) };
    }
    if (!signal.aborted) setKnown((before) => new Map(before).set(path, result));
    return result;
  }, []);
  const load = useCallback(
    (path: VirtualPath): Promise<Children> => {
      const running = reads.current.get(path);
      if (running) return running;
      setKnown((before) => (before.has(path) ? before : new Map(before).set(path, 'loading')));
      const reading = read(path);
      reads.current.set(path, reading);
      return reading;
    },
    [read],
  );
  useEffect(() => {
    const runs = reads.current;
    return () => {
      controller.current?.abort();
      controller.current = null;
      runs.clear();
    };
  }, []);

  const expand = useCallback(
    (path: VirtualPath) => {
      setExpanded((before) => new Set(before).add(path));
      void load(path);
    },
    [load],
  );
  return {
    isExpanded: (path) => expanded.has(path),
    childrenOf: (path) => known.get(path),
    expand,
    collapse: (path) =>
      setExpanded((before) => {
        const rest = new Set(before);
        rest.delete(path);
        return rest;
      }),
    reveal: useCallback(
      async (path) => {
        for (const ancestor of ancestorsOf(path).filter((other) => other !== path)) {
          const children = await load(ancestor);
          if (!Array.isArray(children)) return false;
          setExpanded((before) => new Set(before).add(ancestor));
        }
        if (path === rootPath) return Array.isArray(await load(rootPath));
        const siblings = await load(parentOf(path));
        return Array.isArray(siblings) && siblings.some((name) => childOf(parentOf(path), name) === path);
      },
      [load],
    ),
    reload: useCallback(
      async (path) => {
        reads.current.delete(path);
        await load(path);
      },
      [load],
    ),
  };
}
