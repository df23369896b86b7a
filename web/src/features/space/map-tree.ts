import type { MapResult, MapRow } from '@filestead/contract/endpoints/find';

/** An entry of the map of a folder, with the entries in it. */
export interface MapNode {
  /** From the folder of the map; empty for the folder itself. The rest of a folder has the path of the folder and `/`. */
  readonly path: string;
  readonly name: string;
  /** `rest`: the smaller entries of a folder together. */
  readonly kind: 'folder' | 'file' | 'rest';
  readonly bytes: number;
  readonly files: number;
  /** In descending order of their sizes, the rest last. */
  readonly children: readonly MapNode[];
}

interface BuiltNode extends MapNode {
  readonly children: MapNode[];
}

const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function nodeOf({ path, dir, bytes, files }: MapRow): BuiltNode {
  return { path, name: lastSegment(path), kind: dir ? 'folder' : 'file', bytes, files, children: [] };
}

/** Builds the tree of a map; null if the folder is unknown. Entries without a size are left out. */
export function mapTree({ self, rows }: MapResult): MapNode | null {
  if (self === null) return null;
  const root = nodeOf(self);
  const nodes = new Map<string, BuiltNode>([['', root]]);
  for (const row of rows) {
    if (row.bytes <= 0) continue;
    const node = nodeOf(row);
    nodes.set(row.path, node);
    nodes.get(row.path.slice(0, Math.max(0, row.path.lastIndexOf('/'))))?.children.push(node);
  }
  for (const { path, rest } of [self, ...rows]) {
    if (!rest || rest.bytes <= 0) continue;
    nodes.get(path)?.children.push({
      path: `${path}/`,
      name: '',
      kind: 'rest',
      bytes: rest.bytes,
      files: rest.files,
      children: [],
    });
  }
  return root;
}
