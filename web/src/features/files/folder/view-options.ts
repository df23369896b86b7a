import { create } from 'zustand';
import { storedJson, storeJson } from '../../../ui/browser-storage.ts';

/** The density of the rows in the list. */
export const densities = ['compact', 'normal', 'cosy'] as const;
export type Density = (typeof densities)[number];
/** The row heights. */
export const rowHeightsPx = { compact: 32, normal: 40, cosy: 48 } as const;

/** The available widths of a tile column, in px; the middle one is the default (docs/reference/behaviour.md §9). */
export const tileWidthsPx = [200, 240, 280, 340, 420] as const;
const defaultTileStep = 2;

interface StoredOptions {
  readonly density: Density;
  /** An index into {@link tileWidthsPx}. */
  readonly tileStep: number;
}

/** The size of the tiles of the shown folder. */
export interface FolderTiles {
  /** The remembered one, an index into {@link tileWidthsPx}; undefined as long as that of the device applies. */
  readonly step: number | undefined;
  readonly save: (step: number) => void;
}

interface ViewOptions extends StoredOptions {
  /** Null on screens that remember nothing for a folder. */
  readonly folder: FolderTiles | null;
}

const storageKey = 'filestead.view';

function readStored(): StoredOptions {
  const defaults: StoredOptions = { density: 'normal', tileStep: defaultTileStep };
  const { density, tileStep } = (storedJson(storageKey) ?? {}) as Partial<StoredOptions>;
  return {
    density: densities.find((choice) => choice === density) ?? defaults.density,
    tileStep: tileStep !== undefined && tileStep in tileWidthsPx ? tileStep : defaults.tileStep,
  };
}

/** The appearance of the listing on this device; remembered in this browser. */
export const useViewOptions = create<ViewOptions>(() => ({ ...readStored(), folder: null }));

function change(part: Partial<StoredOptions>): void {
  useViewOptions.setState(part);
  const { density, tileStep } = useViewOptions.getState();
  storeJson(storageKey, { density, tileStep });
}

/** Uses the size of the tiles of a folder, until the returned function is called. */
export function showTilesOf(folder: FolderTiles): () => void {
  useViewOptions.setState({ folder });
  return () => useViewOptions.setState({ folder: null });
}

/** Returns the size of the tiles, an index into {@link tileWidthsPx}. */
export const currentTileStep = ({ folder, tileStep }: ViewOptions): number => folder?.step ?? tileStep;

/** Chooses the density of the list on this device. */
export const chooseDensity = (density: Density): void => change({ density });

/** Chooses a tile width by its index, for the shown folder or else for this device; ignores an index out of range. */
export function chooseTileStep(tileStep: number): void {
  if (!(tileStep in tileWidthsPx)) return;
  const { folder } = useViewOptions.getState();
  if (folder) folder.save(tileStep);
  else change({ tileStep });
}

/** Makes the tile width of the shown folder that of this device. */
export const applyTilesToAll = (): void => change({ tileStep: currentTileStep(useViewOptions.getState()) });

/** Makes the tiles wider or narrower by `steps`. */
export const stepTiles = (steps: number): void =>
  chooseTileStep(currentTileStep(useViewOptions.getState()) + steps);
