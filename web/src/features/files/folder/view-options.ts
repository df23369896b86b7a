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

interface ViewOptions {
  readonly density: Density;
  /** An index into {@link tileWidthsPx}. */
  readonly tileStep: number;
}

const storageKey = 'filestead.view';

function readStored(): ViewOptions {
  const defaults: ViewOptions = { density: 'normal', tileStep: defaultTileStep };
  const { density, tileStep } = (storedJson(storageKey) ?? {}) as Partial<ViewOptions>;
  return {
    density: densities.find((choice) => choice === density) ?? defaults.density,
    tileStep: tileStep !== undefined && tileStep in tileWidthsPx ? tileStep : defaults.tileStep,
  };
}

/** The appearance of the listing on this device; remembered in this browser. */
export const useViewOptions = create<ViewOptions>(readStored);

function change(part: Partial<ViewOptions>): void {
  useViewOptions.setState(part);
  storeJson(storageKey, useViewOptions.getState());
}

export const chooseDensity = (density: Density): void => change({ density });

/** Chooses a tile width by its index; ignores an index out of range. */
export function chooseTileStep(tileStep: number): void {
  if (tileStep in tileWidthsPx) change({ tileStep });
}

/** Makes the tiles wider or narrower by `steps`. */
export const stepTiles = (steps: number): void => chooseTileStep(useViewOptions.getState().tileStep + steps);
